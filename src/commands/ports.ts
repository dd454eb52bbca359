import { join } from 'node:path'
import { openBank } from '#adapters/bank/http.ts'
import { openLedger } from '#adapters/bank/ledger.ts'
import { openCalDav } from '#adapters/calendar/caldav.ts'
import { openEvm } from '#adapters/chain/evm.ts'
import { openHttpCrawler } from '#adapters/crawler/http.ts'
import { openResendLog } from '#adapters/delivery-log/resend.ts'
import { openResolver } from '#adapters/dns/resolver.ts'
import { openAccounts } from '#adapters/email/accounts.ts'
import { openOutboxLog } from '#adapters/email/outbox-log.ts'
import { openOutbox } from '#adapters/email/outbox.ts'
import { openSmtp } from '#adapters/email/smtp.ts'
import { openMailbox } from '#adapters/mailbox/imap.ts'
import { openMailboxServers } from '#adapters/mailbox/servers.ts'
import { entra } from '#adapters/signin/entra.ts'
import { github } from '#adapters/signin/github.ts'
import { google } from '#adapters/signin/google.ts'
import { openMailboxProviders } from '#adapters/signin/mailbox-provider.ts'
import { openSmsOutbox } from '#adapters/sms/outbox.ts'
import { openTwilio } from '#adapters/sms/twilio.ts'
import { openDisk } from '#adapters/storage/disk.ts'
import { openS3 } from '#adapters/storage/s3.ts'
import { openOpenAiLine } from '#adapters/voice/openai.ts'
import { openSimulator, steadyPace } from '#adapters/voice/simulator.ts'
import { openaiWriter } from '#adapters/writer/openai.ts'
import { rulesWriter } from '#adapters/writer/rules.ts'
import { openCloud } from '#adapters/whatsapp/cloud.ts'
import { openWhatsAppOutbox } from '#adapters/whatsapp/outbox.ts'
import type { Config } from '#config'
import type { Ports } from '#platform/ports/ports.ts'
import manifest from '../../package.json' with { type: 'json' }

const SMS_WEBHOOK_PATH = '/api/sms/twilio'

/** What reaches outside, as configured; the embedded defaults where nothing is. */
export function openPorts(config: Config): Ports {
  const { smtpUrl, emailFrom, dkim, imapUrl, resend, twilio, whatsapp, openai, chain, bank, s3, signin } =
    config
  const folder = outboxFolder(config)
  return {
    mail: smtpUrl
      ? openSmtp({ url: smtpUrl, from: emailFrom, dkim })
      : openOutbox({ folder, from: emailFrom }),
    sms: twilio ? openTwilio({ ...twilio, callbackUrl: callbackUrl(config) }) : openSmsOutbox({ folder }),
    whatsapp: whatsapp ? openCloud(whatsapp) : openWhatsAppOutbox({ folder }),
    deliveryLog: resend ? openResendLog(resend) : openOutboxLog({ folder }),
    mailbox: imapUrl === undefined ? undefined : openMailbox({ url: imapUrl }),
    mailboxServers: openMailboxServers(config, openAccounts(config)),
    mailboxProviders: openMailboxProviders(signin),
    dns: openResolver(),
    writer: openai ? openaiWriter(openai) : rulesWriter(),
    plainWriter: rulesWriter(),
    chain: chain && openEvm(chain),
    bank: bank ? openBank(bank) : openLedger({ file: ledgerFile(config) }),
    voice: openai
      ? openOpenAiLine({ ...openai, sipUri: config.openaiSipUri, twilio })
      : openSimulator({ pace: steadyPace(config.simulatorPaceMs) }),
    calendars: openCalDav(config),
    crawler: openHttpCrawler({ ...config, version: manifest.version }),
    storage: s3 ? openS3(s3) : openDisk({ folder: filesFolder(config) }),
    signin: [
      ...(signin.google ? [google(signin.google)] : []),
      ...(signin.github ? [github(signin.github)] : []),
      ...(signin.entra ? [entra(signin.entra)] : []),
    ],
  }
}

/** Where messages lie that nobody receives. */
export function outboxFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'outbox')
}

/** Where paid invoices are noted that no bank hears of. */
export function ledgerFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'bank', 'ledger.jsonl')
}

/** Where files are kept, unless they are in a bucket. */
export function filesFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'files')
}

/** The provider refuses a message with an address that it could never call, such as one of this machine. */
function callbackUrl({ baseUrl }: Config): string | undefined {
  return baseUrl.startsWith('https:') ? baseUrl + SMS_WEBHOOK_PATH : undefined
}
