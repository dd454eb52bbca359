import type { FactSheet } from './fact.ts'

/** A network, its hosts, and what the path of somebody's page there looks like. */
const networks: [label: string, host: RegExp, path: RegExp][] = [
  ['LinkedIn', /^(?:[a-z]{2,3}\.)?linkedin\.com$/, /^\/(?:company|school|showcase|in|organization)\/[^/]+/],
  ['Facebook', /^(?:[a-z-]+\.)?(?:facebook|fb)\.com$/, /^\/(?:pages\/|people\/|groups\/)?[\w.%-]{3,}/],
  ['Instagram', /^instagram\.com$/, /^\/[\w.]{2,}/],
  ['X', /^(?:mobile\.)?(?:twitter|x)\.com$/, /^\/\w{2,15}/],
  ['YouTube', /^(?:m\.)?youtube\.com$/, /^\/(?:@[^/]+|c\/[^/]+|channel\/[^/]+|user\/[^/]+)/],
  ['TikTok', /^tiktok\.com$/, /^\/@[^/]+/],
  ['XING', /^xing\.com$/, /^\/(?:pages|companies|company|profile)\/[^/]+/],
  ['GitHub', /^github\.com$/, /^\/[\w-]+/],
  ['GitLab', /^gitlab\.com$/, /^\/[\w.-]+/],
  ['Pinterest', /^(?:[a-z]{2}\.)?pinterest\.(?:com|de|fr|co\.uk)$/, /^\/[\w-]+/],
  ['Threads', /^threads\.(?:net|com)$/, /^\/@[\w.]+/],
  ['Bluesky', /^bsky\.app$/, /^\/profile\/[^/]+/],
  ['Mastodon', /^(?:mastodon\.[a-z.]+|mas\.to|fosstodon\.org|hachyderm\.io)$/, /^\/@\w+/],
  ['Telegram', /^t\.me$/, /^\/\w{4,}/],
  ['Discord', /^discord\.(?:gg|com)$/, /^\/(?:invite\/)?[\w-]{4,}/],
  ['Vimeo', /^vimeo\.com$/, /^\/[a-z][\w-]+/i],
  ['Medium', /^medium\.com$/, /^\/@?[\w.-]+/],
  ['Crunchbase', /^crunchbase\.com$/, /^\/organization\/[^/]+/],
  ['VK', /^vk\.com$/, /^\/[\w.]+/],
]
/** What everybody's page there has, and what hands on the page one is on. */
const NOBODYS =
  /^\/(?:share|sharer|sharing|intent|home|login|signup|hashtag|search|dialog|plugins|tr|policy|policies|privacy|terms|legal|about|help|watch|embed|explore|features|pricing|pin|p|reel|status|i|site|topics|marketplace|events|v\d[^/]*)(?:[/.?]|$)/i

/** Somebody's page at a network, told by its address. */
export function addSocial(sheet: FactSheet, address: string): boolean {
  if (!/^(?:https?:)?\/\//i.test(address)) return false
  const url = URL.parse(address, 'https://none.invalid')
  if (!url) return false
  const host = url.hostname.replace(/^www\./, '')
  const network = networks.find(([, hosts]) => hosts.test(host))
  if (!network) return false
  const [label, , path] = network
  const found = path.exec(url.pathname)?.[0]
  if (!found || NOBODYS.test(url.pathname)) return false
  sheet.add('social', `https://${url.hostname}${found}`, label)
  return true
}
