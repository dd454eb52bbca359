import { join } from 'node:path'
import { openOutbox } from '#adapters/email/outbox.ts'
import { openSmtp } from '#adapters/email/smtp.ts'
import { entra } from '#adapters/signin/entra.ts'
import { github } from '#adapters/signin/github.ts'
import { google } from '#adapters/signin/google.ts'
import type { Config } from '#config'
import type { Ports } from '#platform/ports/ports.ts'

/** What reaches outside, as configured; the embedded defaults where nothing is. */
export function openPorts({ smtpUrl, emailFrom, dataDir, signin }: Config): Ports {
  return {
    mail: smtpUrl
      ? openSmtp({ url: smtpUrl, from: emailFrom })
      : openOutbox({ folder: join(dataDir, 'outbox'), from: emailFrom }),
    signin: [
      ...(signin.google ? [google(signin.google)] : []),
      ...(signin.github ? [github(signin.github)] : []),
      ...(signin.entra ? [entra(signin.entra)] : []),
    ],
  }
}
