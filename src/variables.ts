import {
  CHAIN_CONFIRMATIONS,
  CHAIN_CURRENCY,
  CHAIN_DECIMALS,
  OPENAI_MODEL,
  OPENAI_URL,
  RESEND_URL,
  SIMULATOR_PACE_MS,
  TWILIO_URL,
} from '#platform/provider-settings.ts'

/** Everything that can be configured, in the order of the documents. `.env.example` and the README table follow it. */
export const variables = [
  { name: 'HOST', default: '127.0.0.1', meaning: 'listen address' },
  { name: 'PORT', default: '3000', meaning: 'listen port' },
  { name: 'BASE_URL', default: 'http://HOST:PORT', meaning: 'public address; https in production' },
  { name: 'DATABASE_URL', default: 'unset: embedded', meaning: 'an external PostgreSQL, 15 or later' },
  {
    name: 'DATABASE_LOGIN_URL',
    default: 'unset: made at the first start',
    meaning: 'the login the product works with, where that of DATABASE_URL may not make one',
  },
  { name: 'DATABASE_POOL_SIZE', default: '20', meaning: 'connections of one process' },
  { name: 'DATA_DIR', default: '.data', meaning: 'embedded database, generated secrets, outbox of messages' },
  { name: 'NODE_ENV', default: 'development', meaning: 'production demands every secret and https' },
  {
    name: 'SESSION_SECRET',
    default: 'generated in development',
    meaning: 'at least 32 random bytes, hex or base64',
  },
  { name: 'SESSION_SECRET_PREVIOUS', default: 'unset', meaning: 'the secret before, while rotating' },
  {
    name: 'CRON_SECRET',
    default: 'generated in development',
    meaning: 'bearer for the job routes, 16 characters or more',
  },
  {
    name: 'METRICS_TOKEN',
    default: 'unset: open',
    meaning: 'bearer for /metrics, 16 characters or more',
  },
  {
    name: 'SCHEDULER',
    default: 'on',
    meaning: 'built-in scheduler; off when an outside cron calls the routes',
  },
  ...(['PAYMENT', 'VOICE', 'EMAIL', 'REALTIME'] as const).map(
    name =>
      ({
        name: `${name}_WEBHOOK_SECRET`,
        default: 'generated in development',
        meaning: 'what this provider signs with, whsec_… or other text; several while rotating',
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
  { name: 'ENTRA_TENANT', default: 'unset', meaning: 'the directory (tenant) id, like 1b9e…-…' },
  {
    name: 'SMTP_URL',
    default: 'unset: dev outbox',
    meaning: 'mail server, like smtps://user:password@host, ?maxConnections=10 at its end',
  },
  { name: 'EMAIL_FROM', default: 'Rapport <rapport@localhost>', meaning: 'sender of mails' },
  {
    name: 'DKIM_DOMAIN',
    default: 'unset',
    meaning: 'mails are signed for this domain, unless the server does it',
  },
  { name: 'DKIM_SELECTOR', default: 'unset', meaning: 'the public key stands at SELECTOR._domainkey.DOMAIN' },
  {
    name: 'DKIM_PRIVATE_KEY',
    default: 'unset',
    meaning: 'the RSA key, as PEM with \\n for line ends or like file:/etc/rapport/dkim.pem',
  },
  {
    name: 'IMAP_URL',
    default: 'unset: replies are not read',
    meaning: 'mailbox of replies and bounces, like imaps://user:password@host/INBOX',
  },
  { name: 'RESEND_API_KEY', default: 'unset', meaning: 'reads what became of mails that went by Resend' },
  { name: 'RESEND_BASE_URL', default: RESEND_URL, meaning: 'another address of the same API' },
  {
    name: 'TWILIO_ACCOUNT_SID',
    default: 'unset: dev outbox',
    meaning: 'account that sends text messages and makes calls',
  },
  { name: 'TWILIO_AUTH_TOKEN', default: 'unset', meaning: 'the token that belongs to the account' },
  {
    name: 'TWILIO_FROM',
    default: 'unset',
    meaning: 'number, name or messaging service (MG…) they come from; calls need a number',
  },
  { name: 'TWILIO_BASE_URL', default: TWILIO_URL, meaning: 'another address of the same API' },
  {
    name: 'OPENAI_API_KEY',
    default: 'unset: rule-based writer, calls are played',
    meaning: 'key of an OpenAI-compatible model that writes, and of the one that speaks in calls',
  },
  { name: 'OPENAI_BASE_URL', default: OPENAI_URL, meaning: 'another service that speaks the same' },
  { name: 'OPENAI_MODEL', default: OPENAI_MODEL, meaning: 'which of its models writes' },
  {
    name: 'OPENAI_SIP_URI',
    default: 'unset: agents call nobody',
    meaning: 'where its model listens to calls, like sip:proj_…@sip.api.openai.com;transport=tls',
  },
  {
    name: 'SIMULATOR_PACE_MS',
    default: String(SIMULATOR_PACE_MS),
    meaning: 'milliseconds from one line to the next where calls are only played',
  },
  {
    name: 'BANK_URL',
    default: 'unset: a ledger file below DATA_DIR',
    meaning: "the bank's API, told of paid invoices by POST BANK_URL/invoices",
  },
  { name: 'BANK_TOKEN', default: 'unset', meaning: 'the bearer token that belongs to it' },
  {
    name: 'CREDITS_MONTHLY',
    default: '100',
    meaning: 'credits a team gets each month, unless it has its own number',
  },
  {
    name: 'TRIAL_DAYS',
    default: 'unset: no trials',
    meaning: 'how long a new team may try everything; afterwards it can only be read',
  },
  {
    name: 'PHONE_NUMBERS',
    default: 'unset: with one team any number, with several none',
    meaning:
      'numbers agents may answer at, by team: +4930123456=TEAM_ID …; or any, if all teams trust each other',
  },
  {
    name: 'CHAIN_RPC_URL',
    default: 'unset: nothing is paid on a chain',
    meaning: 'nodes of the chain where payments settle; the others, after a space, when the first is away',
  },
  { name: 'CHAIN_NETWORK', default: 'unset', meaning: 'which chain it is (CAIP-2), like eip155:8453' },
  {
    name: 'CHAIN_TOKEN',
    default: 'unset',
    meaning: 'the stablecoin: its 0x address, or CAIP-19 like eip155:8453/erc20:0x…',
  },
  { name: 'CHAIN_RECIPIENT', default: 'unset', meaning: 'the wallet that is paid' },
  { name: 'CHAIN_DECIMALS', default: String(CHAIN_DECIMALS), meaning: "the token's own decimals" },
  {
    name: 'CHAIN_CONFIRMATIONS',
    default: String(CHAIN_CONFIRMATIONS),
    meaning: 'how many blocks deep a payment must lie, its own included',
  },
  { name: 'CHAIN_CURRENCY', default: CHAIN_CURRENCY, meaning: 'the currency that one token stands for' },
  { name: 'OAUTH_REGISTRATION', default: 'off', meaning: 'on lets apps register themselves (RFC 7591)' },
  { name: 'RATE_LIMIT', default: 'on', meaning: 'off for benchmarks' },
  {
    name: 'OUTBOUND_ALLOW_HOSTS',
    default: 'empty',
    meaning: 'space-separated hosts that may be called although their address is private',
  },
  {
    name: 'TRUST_PROXY',
    default: 'off',
    meaning: 'space-separated addresses or networks whose X-Forwarded-For is believed',
  },
  { name: 'LOG_LEVEL', default: 'info', meaning: 'debug, info, warn or error' },
] as const

function providerVariables<const Name extends string>(name: Name, issuer: string) {
  return [
    { name: `${name}_CLIENT_ID`, default: 'unset', meaning: 'turns this sign-in on, with its secret' },
    { name: `${name}_CLIENT_SECRET`, default: 'unset', meaning: 'the secret that belongs to the client id' },
    { name: `${name}_ISSUER`, default: issuer, meaning: 'another issuer, for tests and own servers' },
  ] as const
}
