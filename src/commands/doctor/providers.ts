import { existsSync } from 'node:fs'
import type { Config } from '#config'
import type { Ports } from '#platform/ports/ports.ts'
import type { SigninProvider } from '#platform/ports/signin.ts'
import { chainFolder } from '../demo-chain.ts'
import { filesFolder, ledgerFile, openPorts, outboxFolder } from '../ports.ts'
import { checkDkim } from './dkim.ts'
import { bad, good, note, type Finding } from './finding.ts'

/** What reaches outside: each provider that is configured answers, or the reason why it does not. */
export async function* checkProviders(config: Config): AsyncGenerator<Finding> {
  const ports = openPorts(config)
  // All at once: each waits for a network of its own.
  const findings = [
    ...ports.signin.map(checkSignin),
    checkMail(ports, config),
    ...(config.dkim ? [checkDkim(config.dkim, ports.dns)] : []),
    checkReplies(ports, config),
    ...(config.resend ? [checkDeliveryLog(ports, config.resend.baseUrl)] : []),
    checkSms(ports, config),
    checkWhatsApp(ports, config),
    checkWriter(ports, config),
    checkVoice(ports, config),
    checkBank(ports, config),
    checkStorage(ports, config),
    checkChain(ports, config),
  ]
  try {
    if (ports.signin.length === 0) yield noSignin
    for (const finding of findings) yield await finding
  } finally {
    await Promise.all([
      ports.mail.close(),
      ports.sms.close(),
      ports.whatsapp.close(),
      ports.mailbox?.close(),
      ports.bank.close(),
      ports.chain?.close(),
      ports.voice.close(),
    ])
  }
}

const noSignin = note(
  'sign-in',
  'by link only (rapport signin-link): to enable a provider, set GOOGLE_CLIENT_ID, GITHUB_CLIENT_ID or ENTRA_CLIENT_ID with its _CLIENT_SECRET (and ENTRA_TENANT for the last)',
)

async function checkSignin({ name, label, check }: SigninProvider): Promise<Finding> {
  const failure = await failureOf(check)
  if (failure === undefined) return good('sign-in', `${label} responds and accepts this client`)
  const variables = `${name.toUpperCase()}_CLIENT_ID, _CLIENT_SECRET and _ISSUER`
  return bad('sign-in', `${failure}: check ${variables} and the network`)
}

async function checkMail({ mail }: Ports, config: Config): Promise<Finding> {
  const failure = await failureOf(() => mail.check())
  if (!config.smtpUrl) {
    const folder = outboxFolder(config)
    return failure === undefined
      ? note('mail', `emails are saved to ${folder} and not delivered: set SMTP_URL and EMAIL_FROM`)
      : bad('mail', `${folder} is not writable: ${failure}. Fix it, or set SMTP_URL and EMAIL_FROM`)
  }
  // The host without the password in the URL.
  const { host } = new URL(config.smtpUrl)
  return failure === undefined
    ? good('mail', `${host} accepts the login`)
    : bad('mail', `${host}: ${failure}. Check SMTP_URL and that the server is running`)
}

async function checkReplies({ mailbox }: Ports, { imapUrl }: Config): Promise<Finding> {
  if (!mailbox || imapUrl === undefined)
    return note('replies', 'replies and bounce emails are not read: set IMAP_URL')
  const { host, pathname } = new URL(imapUrl)
  const failure = await failureOf(() => mailbox.check())
  return failure === undefined
    ? good('replies', `${host} gives access to ${decodeURIComponent(pathname.slice(1)) || 'INBOX'}`)
    : bad('replies', `${failure}. Check IMAP_URL and that the server is running`)
}

async function checkDeliveryLog({ deliveryLog }: Ports, baseUrl: string): Promise<Finding> {
  const failure = await failureOf(() => deliveryLog.check())
  return failure === undefined
    ? good('delivery log', `${new URL(baseUrl).host} accepts the key`)
    : bad('delivery log', `${failure}: check RESEND_API_KEY, RESEND_BASE_URL and the network`)
}

async function checkSms({ sms }: Ports, config: Config): Promise<Finding> {
  const failure = await failureOf(() => sms.check())
  const variables = 'TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM'
  if (!config.twilio) {
    const folder = outboxFolder(config)
    return failure === undefined
      ? note('text messages', `text messages are saved to ${folder} and not delivered: set ${variables}`)
      : bad('text messages', `${folder} is not writable: ${failure}. Fix it, or set ${variables}`)
  }
  return failure === undefined
    ? good('text messages', `${new URL(config.twilio.baseUrl).host} accepts the account`)
    : bad('text messages', `${failure}: check ${variables} and the network`)
}

async function checkWhatsApp({ whatsapp }: Ports, config: Config): Promise<Finding> {
  const failure = await failureOf(() => whatsapp.check())
  const variables = 'WHATSAPP_TOKEN, WHATSAPP_PHONE_NUMBER_ID, WHATSAPP_APP_SECRET and WHATSAPP_VERIFY_TOKEN'
  if (!config.whatsapp) {
    const folder = outboxFolder(config)
    return failure === undefined
      ? note('WhatsApp', `WhatsApp messages are saved to ${folder} and not delivered: set ${variables}`)
      : bad('WhatsApp', `${folder} is not writable: ${failure}. Fix it, or set ${variables}`)
  }
  return failure === undefined
    ? good('WhatsApp', `${new URL(config.whatsapp.apiUrl).host} accepts the token for this number`)
    : bad('WhatsApp', `${failure}: check ${variables} and the network`)
}

async function checkWriter({ writer }: Ports, { openai }: Config): Promise<Finding> {
  if (!openai) return note('writer', 'rule-based: set OPENAI_API_KEY to use a model')
  const failure = await failureOf(() => writer.check())
  return failure === undefined
    ? good('writer', `${new URL(openai.baseUrl).host} responds and has ${openai.model}`)
    : bad('writer', `${failure}: check OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL`)
}

async function checkVoice({ voice }: Ports, { openai }: Config): Promise<Finding> {
  if (!openai)
    return note('calls', 'simulated, no real calls: set OPENAI_API_KEY to connect a provider (docs/voice.md)')
  const failure = await failureOf(() => voice.check())
  if (failure !== undefined)
    return bad('calls', `${failure}: check OPENAI_API_KEY, OPENAI_BASE_URL and TWILIO_*`)
  return voice.dialFault === null
    ? good('calls', `${new URL(openai.baseUrl).host} and Twilio respond: agents can place and answer calls`)
    : note('calls', voice.dialFault)
}

async function checkBank({ bank }: Ports, config: Config): Promise<Finding> {
  const failure = await failureOf(() => bank.check())
  if (!config.bank) {
    const file = ledgerFile(config)
    return failure === undefined
      ? note('bank', `not connected, paid invoices are recorded in ${file}: set BANK_URL and BANK_TOKEN`)
      : bad('bank', `${file} is not writable: ${failure}. Fix it, or set BANK_URL and BANK_TOKEN`)
  }
  return failure === undefined
    ? good('bank', `${new URL(config.bank.url).host} accepts the token`)
    : bad('bank', `${failure}: check BANK_URL, BANK_TOKEN and the network`)
}

async function checkStorage({ storage }: Ports, config: Config): Promise<Finding> {
  const failure = await failureOf(() => storage.check())
  if (!config.s3) {
    const folder = filesFolder(config)
    return failure === undefined
      ? good('files', `kept in ${folder}`)
      : bad('files', `${folder} is not writable: ${failure}. Fix it, or set FILES_URL`)
  }
  const { bucket, endpointUrl } = config.s3
  return failure === undefined
    ? good('files', `the bucket ${bucket} at ${new URL(endpointUrl).host} can be written and read`)
    : bad(
        'files',
        `${failure} (FILES_URL and AWS_… name the bucket ${bucket} at ${new URL(endpointUrl).host})`,
      )
}

async function checkChain({ chain }: Ports, config: Config): Promise<Finding> {
  if (!chain || !config.chain) {
    const instead = existsSync(chainFolder(config))
      ? 'rapport start runs a development chain with play money'
      : 'on-chain payments are off'
    return note('chain', `${instead}: set CHAIN_RPC_URL, CHAIN_NETWORK, CHAIN_TOKEN and CHAIN_RECIPIENT`)
  }
  const { network, recipient, rpcUrls } = config.chain
  const hosts = rpcUrls.map(url => new URL(url).host).join(', ')
  const failure = await failureOf(() => chain.check())
  return failure === undefined
    ? good('chain', `${hosts} responds for ${network} and has the token; payments go to ${recipient}`)
    : bad('chain', `${failure}. Check CHAIN_RPC_URL, CHAIN_NETWORK, CHAIN_TOKEN and CHAIN_RECIPIENT`)
}

async function failureOf(check: () => Promise<void>): Promise<string | undefined> {
  try {
    await check()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
