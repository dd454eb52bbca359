import { createPrivateKey, createPublicKey } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import type { Config } from '#config'
import { bad, good, type Finding } from './finding.ts'

const LOOKUP_TIMEOUT_MS = 5_000
const LOOKUP_TRIES = 2

type Dkim = NonNullable<Config['dkim']>
type Lookup = (name: string) => Promise<string[][]>

/** Whether receivers find the public half of the key that mails are signed with. */
export async function checkDkim(
  { domain, selector, privateKey }: Dkim,
  lookup: Lookup = lookUp,
): Promise<Finding> {
  const name = `${selector}._domainkey.${domain}`
  const key = publicKeyOf(privateKey)
  const fix = `publish the TXT record "v=DKIM1; k=rsa; p=${key}" at ${name}`
  let records: string[][]
  try {
    records = await lookup(name)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOTFOUND' || code === 'ENODATA')
      return bad('signature', `recipients cannot verify it: ${fix}`)
    return bad('signature', `${name} cannot be looked up: ${message}`)
  }
  const published = records.map(parts => /(?:^|;)\s*p=([^;]*)/.exec(parts.join(''))?.[1]?.replace(/\s/g, ''))
  return published.includes(key)
    ? good('signature', `${name} has the key that emails are signed with`)
    : bad('signature', `${name} has a different key: ${fix}`)
}

function publicKeyOf(privateKey: string): string {
  return createPublicKey(createPrivateKey(privateKey))
    .export({ type: 'spki', format: 'der' })
    .toString('base64')
}

async function lookUp(name: string): Promise<string[][]> {
  return await new Resolver({ timeout: LOOKUP_TIMEOUT_MS, tries: LOOKUP_TRIES }).resolveTxt(name)
}
