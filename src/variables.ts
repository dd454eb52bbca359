import {
  CHAIN_CONFIRMATIONS,
  CHAIN_CURRENCY,
  CHAIN_DECIMALS,
  OPENAI_MODEL,
  OPENAI_URL,
  RESEND_URL,
  SIMULATOR_PACE_MS,
  TWILIO_URL,
  WHATSAPP_URL,
} from '#platform/provider-settings.ts'
import { AWS_REGION } from '#platform/storage-settings.ts'

/** Everything that can be configured, in the order of the documents. `.env.example` and the README table follow it. */
export const variables = [
  { name: 'HOST', default: '127.0.0.1', meaning: 'listen address' },
  { name: 'PORT', default: '3000', meaning: 'listen port' },
  { name: 'BASE_URL', default: 'http://HOST:PORT', meaning: 'public URL; https in production' },
  {
    name: 'DATABASE_URL',
    default: 'unset: embedded',
    meaning:
      'an external PostgreSQL, 15 or later; several hosts separated by commas, of which the primary is used',
  },
  {
    name: 'DATABASE_LOGIN_URL',
    default: 'unset: created at first start',
    meaning: 'the login Rapport uses, if the one in DATABASE_URL may not create roles',
  },
  {
    name: 'DATABASE_POOLER_URL',
    default: 'unset: direct connections',
    meaning:
      'a pooler in transaction mode in front of the same database, like postgres://pgbouncer:6432/rapport',
  },
  { name: 'DATABASE_POOL_SIZE', default: '20', meaning: 'database connections per process' },
  {
    name: 'SHUTDOWN_DRAIN_MS',
    default: '0',
    meaning:
      'milliseconds to keep serving after SIGTERM while /readyz answers 503, so that a proxy notices first',
  },
  {
    name: 'DATA_DIR',
    default: '.data',
    meaning: 'embedded database, generated secrets, message outbox, files',
  },
  { name: 'NODE_ENV', default: 'development', meaning: 'production requires every secret and https' },
  {
    name: 'SESSION_SECRET',
    default: 'generated in development',
    meaning: 'at least 32 random bytes, hex or base64',
  },
  { name: 'SESSION_SECRET_PREVIOUS', default: 'unset', meaning: 'the previous secret, while rotating' },
  {
    name: 'CRON_SECRET',
    default: 'generated in development',
    meaning: 'bearer token for the job routes, 16 characters or more',
  },
  {
    name: 'METRICS_TOKEN',
    default: 'unset: open',
    meaning: 'bearer token for /metrics, 16 characters or more',
  },
  {
    name: 'SCHEDULER',
    default: 'on',
    meaning: 'built-in scheduler; off when an external cron calls the job routes',
  },
  ...(['PAYMENT', 'VOICE', 'EMAIL', 'REALTIME'] as const).map(
    name =>
      ({
        name: `${name}_WEBHOOK_SECRET`,
        default: 'generated in development',
        meaning: 'signing secret of this provider, whsec_… or other text; several while rotating',
      }) as const,
  ),
  {
    name: 'REALTIME_WEBHOOK_SECRET_2',
    default: 'unset',
    meaning: 'a second secret of the realtime provider',
  },
  ...providerVariables('GOOGLE', 'https://accounts.google.com'),
  ...providerVariables('GITHUB', 'https://github.com'),
  ...providerVariables('ENTRA', "the tenant's"),
  { name: 'ENTRA_TENANT', default: 'unset', meaning: 'the directory (tenant) ID, like 1b9e…-…' },
  {
    name: 'SMTP_URL',
    default: 'unset: dev outbox',
    meaning: 'mail server, like smtps://user:password@host, optionally with ?maxConnections=10',
  },
  { name: 'EMAIL_FROM', default: 'Rapport <rapport@localhost>', meaning: 'sender of emails' },
  {
    name: 'DKIM_DOMAIN',
    default: 'unset',
    meaning: 'domain to sign emails for, unless the mail server does it',
  },
  {
    name: 'DKIM_SELECTOR',
    default: 'unset',
    meaning: 'the public key is published at SELECTOR._domainkey.DOMAIN',
  },
  {
    name: 'DKIM_PRIVATE_KEY',
    default: 'unset',
    meaning: 'the RSA key, as PEM with \\n for line breaks or like file:/etc/rapport/dkim.pem',
  },
  {
    name: 'IMAP_URL',
    default: 'unset: replies are not read',
    meaning: 'mailbox for replies and bounces, like imaps://user:password@host/INBOX',
  },
  { name: 'RESEND_API_KEY', default: 'unset', meaning: 'API key to read delivery events from Resend' },
  { name: 'RESEND_BASE_URL', default: RESEND_URL, meaning: 'alternative URL of the same API' },
  {
    name: 'TWILIO_ACCOUNT_SID',
    default: 'unset: dev outbox',
    meaning: 'account that sends text messages and places calls',
  },
  { name: 'TWILIO_AUTH_TOKEN', default: 'unset', meaning: "the account's auth token" },
  {
    name: 'TWILIO_FROM',
    default: 'unset',
    meaning: 'sender number, name or messaging service (MG…); calls require a number',
  },
  { name: 'TWILIO_BASE_URL', default: TWILIO_URL, meaning: 'alternative URL of the same API' },
  {
    name: 'WHATSAPP_TOKEN',
    default: 'unset: dev outbox',
    meaning: "access token of a system user for Meta's WhatsApp Cloud API",
  },
  { name: 'WHATSAPP_PHONE_NUMBER_ID', default: 'unset', meaning: 'ID of the number that sends and receives' },
  {
    name: 'WHATSAPP_APP_SECRET',
    default: 'unset',
    meaning: 'secret of the app, with which Meta signs webhooks',
  },
  {
    name: 'WHATSAPP_VERIFY_TOKEN',
    default: 'unset',
    meaning: 'a text of your choice; enter the same in Meta for the webhook BASE_URL/api/webhooks/whatsapp',
  },
  {
    name: 'WHATSAPP_BUSINESS_ACCOUNT_ID',
    default: 'unset: templates are entered',
    meaning: 'whose message templates are synced',
  },
  { name: 'WHATSAPP_API_URL', default: WHATSAPP_URL, meaning: 'alternative URL or version of the same API' },
  {
    name: 'OPENAI_API_KEY',
    default: 'unset: rule-based writer, simulated calls',
    meaning: 'API key for an OpenAI-compatible model, used for writing and for calls',
  },
  { name: 'OPENAI_BASE_URL', default: OPENAI_URL, meaning: 'another OpenAI-compatible service' },
  { name: 'OPENAI_MODEL', default: OPENAI_MODEL, meaning: 'the model used for writing' },
  {
    name: 'OPENAI_SIP_URI',
    default: 'unset: agents cannot place calls',
    meaning: 'where its model listens to calls, like sip:proj_…@sip.api.openai.com;transport=tls',
  },
  {
    name: 'SIMULATOR_PACE_MS',
    default: String(SIMULATOR_PACE_MS),
    meaning: 'milliseconds between lines in simulated calls',
  },
  {
    name: 'BANK_URL',
    default: 'unset: a ledger file in DATA_DIR',
    meaning: "the bank's API; paid invoices are sent by POST to BANK_URL/invoices",
  },
  { name: 'BANK_TOKEN', default: 'unset', meaning: 'bearer token for BANK_URL' },
  {
    name: 'FILES_URL',
    default: 'unset: DATA_DIR/files',
    meaning: 'bucket for the files of messages, like s3://bucket/prefix',
  },
  { name: 'AWS_ACCESS_KEY_ID', default: 'unset', meaning: 'access key for FILES_URL' },
  { name: 'AWS_SECRET_ACCESS_KEY', default: 'unset', meaning: 'its secret' },
  { name: 'AWS_REGION', default: AWS_REGION, meaning: 'region of the bucket' },
  {
    name: 'AWS_ENDPOINT_URL',
    default: "unset: the region's at AWS",
    meaning: 'another S3-compatible service, like https://minio.example.com',
  },
  {
    name: 'CREDITS_MONTHLY',
    default: '100',
    meaning: 'monthly credits per team, unless set for the team',
  },
  {
    name: 'TRIAL_DAYS',
    default: 'unset: no trials',
    meaning: 'trial length for new teams; afterwards a team is read-only',
  },
  {
    name: 'PHONE_NUMBERS',
    default: 'unset: any number with one team, none with several',
    meaning:
      'phone numbers agents may answer, by team: +4930123456=TEAM_ID …; or any, if all teams trust each other',
  },
  {
    name: 'CHAIN_RPC_URL',
    default: 'unset: no on-chain payments',
    meaning: 'RPC nodes of the settlement chain, separated by spaces; later ones are fallbacks',
  },
  { name: 'CHAIN_NETWORK', default: 'unset', meaning: 'the chain ID (CAIP-2), like eip155:8453' },
  {
    name: 'CHAIN_TOKEN',
    default: 'unset',
    meaning: 'the stablecoin: its 0x address, or CAIP-19 like eip155:8453/erc20:0x…',
  },
  { name: 'CHAIN_RECIPIENT', default: 'unset', meaning: 'the wallet that receives payments' },
  { name: 'CHAIN_DECIMALS', default: String(CHAIN_DECIMALS), meaning: "the token's own decimals" },
  {
    name: 'CHAIN_CONFIRMATIONS',
    default: String(CHAIN_CONFIRMATIONS),
    meaning: 'confirmations a payment needs, including its own block',
  },
  { name: 'CHAIN_CURRENCY', default: CHAIN_CURRENCY, meaning: 'the currency of one token' },
  { name: 'OAUTH_REGISTRATION', default: 'off', meaning: 'on allows dynamic client registration (RFC 7591)' },
  { name: 'RATE_LIMIT', default: 'on', meaning: 'off for benchmarks' },
  {
    name: 'OUTBOUND_ALLOW_HOSTS',
    default: 'empty',
    meaning: 'space-separated hosts that outbound calls may reach at private addresses',
  },
  {
    name: 'TRUST_PROXY',
    default: 'off',
    meaning: 'space-separated addresses or networks whose X-Forwarded-For is trusted',
  },
  { name: 'LOG_LEVEL', default: 'info', meaning: 'debug, info, warn or error' },
] as const

function providerVariables<const Name extends string>(name: Name, issuer: string) {
  return [
    {
      name: `${name}_CLIENT_ID`,
      default: 'unset',
      meaning: 'enables this sign-in provider, with its secret',
    },
    { name: `${name}_CLIENT_SECRET`, default: 'unset', meaning: 'the client secret' },
    { name: `${name}_ISSUER`, default: issuer, meaning: 'another issuer, for tests and self-hosted servers' },
  ] as const
}
