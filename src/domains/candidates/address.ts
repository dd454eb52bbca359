import { tidyDomain } from '#domains/accounts/model.ts'
import { sharedDomains } from '#domains/accounts/values.ts'
import { ADDRESS_LENGTH_MAX } from './values.ts'

/** Where a company is on the web. */
export type Site = { url: string; domain: string }

/**
 * The site that a domain, a web address or a mail address leads to. Plain http is only ever fetched at hosts that the
 * operator allows: those keep it, and may be names or numbers of the own network; all others are asked by https.
 */
export function readAddress(text: string, allowedHosts: readonly string[]): Site | { wrong: string } {
  if (text.length > ADDRESS_LENGTH_MAX) return { wrong: `is longer than ${ADDRESS_LENGTH_MAX} characters` }
  const url = parsed(text.trim())
  const host = tidyDomain(url?.hostname ?? '').replace(/\.$/, '')
  const allowed = allowedHosts.includes(host.replace(/^\[|\]$/g, ''))
  if (!url || !(allowed || isName(host))) return { wrong: NO_ADDRESS }
  if (sharedDomains.has(host))
    return { wrong: `is at ${host}, a public provider rather than a company domain` }
  const domain = USUAL_PORTS.has(url.port) ? host : `${host}:${url.port}`
  return { url: `${allowed ? url.protocol : 'https:'}//${domain}/`, domain }
}

const NO_ADDRESS = 'is not a domain, URL or email address: write it like acme.com'
const USUAL_PORTS = new Set(['', '80', '443'])
const NAME_LENGTH_MAX = 253

function parsed(text: string): URL | undefined {
  // The URL parser would ignore line breaks and tabs, but they are not part of an address.
  if (text === '' || /[\s\p{Cc}]/u.test(text)) return undefined
  const host = /^(?:mailto:)?[^@/?#]+@([^@/?#:]+)$/i.exec(text)?.[1]
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${host ?? text}`
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb && url.username === '' && url.password === '' ? url : undefined
}

/** A name with a dot in it that is no number: `acme.com`, and neither `localhost` nor `127.0.0.1`. */
function isName(host: string): boolean {
  const labels = host.split('.')
  return (
    host.length <= NAME_LENGTH_MAX &&
    labels.length > 1 &&
    labels.every(label => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/.test(label)) &&
    /^(?!\d+$).{2,}$/.test(labels.at(-1)!)
  )
}
