import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { Config } from '#config'
import type { Dns } from '#platform/ports/dns.ts'
import { bad, good, type Finding } from './finding.ts'

type Dkim = NonNullable<Config['dkim']>

/** Whether receivers find the public half of the key that mails are signed with. */
export async function checkDkim({ domain, selector, privateKey }: Dkim, dns: Dns): Promise<Finding> {
  const name = `${selector}._domainkey.${domain}`
  const key = publicKeyOf(privateKey)
  const fix = `publish the TXT record "v=DKIM1; k=rsa; p=${key}" at ${name}`
  let records: string[]
  try {
    records = await dns.texts(name)
  } catch (error) {
    return bad('signature', `${name} cannot be looked up: ${(error as Error).message}`)
  }
  if (records.length === 0) return bad('signature', `recipients cannot verify it: ${fix}`)
  const published = records.map(record => /(?:^|;)\s*p=([^;]*)/.exec(record)?.[1]?.replace(/\s/g, ''))
  return published.includes(key)
    ? good('signature', `${name} has the key that emails are signed with`)
    : bad('signature', `${name} has a different key: ${fix}`)
}

function publicKeyOf(privateKey: string): string {
  return createPublicKey(createPrivateKey(privateKey))
    .export({ type: 'spki', format: 'der' })
    .toString('base64')
}
