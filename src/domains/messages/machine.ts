/*
 * Who fetches a picture or follows a link: a person, or a program that looks at mails before or instead of a person.
 * Sources: help.socketlabs.com/docs/identifying-apple-mpp-opens-in-notification-api-events (Apple),
 * mautic/mautic#10245 and ankane/ahoy_email#139 (Gmail's first look), mssola/user_agent#71 (Gmail's sampling),
 * matomo-org/device-detector#5359 and its regexes/bots.yml, omrilotan/isbot, and the vendors' own names of themselves.
 */

/** Apple's Mail Privacy Protection fetches every picture when the mail arrives, and calls itself this and no more. */
const APPLE_PRIVACY = 'Mozilla/5.0'

/** Gmail shows pictures through it when somebody looks. Its name ends like a machine's, and a person is behind it. */
const SHOWN_BY_PROXY = /GoogleImageProxy|YahooMailProxy|DuckDuckGo.*EmailProxy/i

const machineNames = [
  // Gmail's own looks at mails and links, in the clothes of a browser of 2015.
  /Edge\/12\.246 (?:Mozilla\/5\.0|Gmail-content-sampling)$/,
  /Google-Safety|Google-Read-Aloud|GoogleOther|Google-Transparency/i,
  // Gateways that open what they let through: Barracuda, Mimecast, Proofpoint, Microsoft, Cisco, Trend Micro, Symantec, …
  /Barracuda|Mimecast|Proofpoint|SafeLinks|MSOffice(?:Protection|Scan)|IronPort|TrendMicro|Trend Micro/i,
  /Symantec|MessageLabs|FireEye|Trellix|Forcepoint|Websense|Zscaler|Sophos|Fortinet|FortiGuard|Bitdefender/i,
  /Kaspersky|McAfee|Cloudmark|Vade|SpamTitan|TitanHQ|MailGuard|Hornetsecurity|Egress|Avanan|Checkpoint/i,
  /PhishLabs|PhishTank|urlscan|VirusTotal|Netcraft|Cyren|BitSight|Abnormal ?Security|Darktrace/i,
  // Programs that follow links professionally: search engines, link previews in chats, link checkers.
  /(?<!cu)bot(?:\b|[/;)_-])|crawl|spider|slurp|scan(?:ner)?\b|preview|prefetch|link ?check|validator|monitor(?:ing)?\b/i,
  /facebookexternalhit|WhatsApp\/|SkypeUriPreview|Mastodon\/|archive\.org/i,
  // Browsers without anybody in front of them.
  /Headless|PhantomJS|Puppeteer|Playwright|Selenium|WebDriver|Electron\/.*Link|Splash/i,
  // Libraries that speak HTTP.
  /^(?:curl|wget|aria2|httpie|xh)\//i,
  /python|aiohttp|httpx|urllib|scrapy|libwww|LWP::|^Ruby|Faraday|^PHP|Guzzle|GuzzleHttp|Symfony HttpClient/i,
  /^Go-http-client|^okhttp|^Java\/|Apache-HttpClient|Jakarta|^axios|node-fetch|^undici|^node\b|^got\b|^Deno|^Bun\//i,
  /^reqwest|^hyper|^Dart|^Rust|^PostmanRuntime|^insomnia|WinHttp|Microsoft-CryptoAPI|^Microsoft Office Existence/i,
]

/** Nobody reads a mail within this time of its leaving. */
const TOO_SOON_MS = 3_000
/** Nobody follows two links within this time. */
const TOO_FAST_MS = 2_000
const AGENT_LENGTH_MAX = 1_000

export type Visit = { method: string; headers: Record<string, string | undefined> }

/** By what the visitor says of itself. */
export function isMachineVisit({ method, headers }: Visit): boolean {
  if (method !== 'GET') return true
  const purposes = [headers.purpose, headers['sec-purpose'], headers['x-purpose'], headers['x-moz']]
  return (
    purposes.some(purpose => /prefetch|preview/i.test(purpose ?? '')) || isMachineAgent(headers['user-agent'])
  )
}

/** A visitor without a name is nobody's browser. */
export function isMachineAgent(agent: string | undefined): boolean {
  const name = (agent ?? '').slice(0, AGENT_LENGTH_MAX).trim()
  if (name === '' || name === APPLE_PRIVACY) return true
  return !SHOWN_BY_PROXY.test(name) && machineNames.some(pattern => pattern.test(name))
}

type Sent = { status: string; sent_at: string | null }

/** While it is still in our own hand, only the gateway that is taking it can have looked. */
export function isTooSoon({ status, sent_at }: Sent, now: string): boolean {
  if (sent_at === null) return status === 'SENDING'
  return Date.parse(now) - Date.parse(sent_at) < TOO_SOON_MS
}

/** Another link of the same mail was followed a moment ago. */
export function isTooFast(
  clicks: readonly { link: number; at: string }[],
  link: number,
  now: string,
): boolean {
  return clicks.some(
    click => click.link !== link && Math.abs(Date.parse(now) - Date.parse(click.at)) < TOO_FAST_MS,
  )
}
