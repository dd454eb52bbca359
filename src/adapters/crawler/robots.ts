export const ROBOTS_BYTES_MAX = 500 * 1024
/** A longer delay would mean one page per hour. */
export const CRAWL_DELAY_MAX_MS = 10_000

/** What a robots.txt lets us do. */
export type Robots = {
  /** Matched against the path with its query, as in the URL. */
  allows(path: string): boolean
  /** The pause that is asked for, as far as we keep it. */
  delayMs: number
}

type Rule = { allow: boolean; pattern: string; parts: string[]; isWhole: boolean }
type Group = { agents: string[]; rules: Rule[]; delayMs: number }

/**
 * RFC 9309: the groups of our own name, or else those of everybody, taken together. Of the rules that match a path the
 * longest counts, and of two that are equally long the one that allows.
 */
export function readRobots(text: string, agent: string): Robots {
  const groups = groupsIn(text)
  const own = groups.filter(({ agents }) => agents.includes(agent))
  const ours = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'))
  const rules = ours.flatMap(group => group.rules)
  return {
    allows(path) {
      const normal = normalPath(path).replaceAll('*', '%2A').replaceAll('$', '%24')
      if (normal === '/robots.txt') return true
      let best: Rule | undefined
      for (const rule of rules) {
        if (best && (rule.pattern.length < best.pattern.length || !outranks(rule, best))) continue
        if (matches(rule, normal)) best = rule
      }
      return best?.allow ?? true
    },
    delayMs: Math.min(CRAWL_DELAY_MAX_MS, Math.max(0, ...ours.map(group => group.delayMs))),
  }
}

/** Lines without a rule for us, like Sitemap, are ignored. */
function groupsIn(text: string): Group[] {
  const groups: Group[] = []
  let isOpen = false
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const [, key, value] = /^\s*([a-z-]+)\s*:\s*(.*?)\s*$/i.exec(line.replace(/#.*$/s, '')) ?? []
    const group = groups.at(-1)
    switch (key?.toLowerCase()) {
      case 'user-agent':
        if (isOpen) group!.agents.push(agentOf(value!))
        else groups.push({ agents: [agentOf(value!)], rules: [], delayMs: 0 })
        isOpen = true
        break
      case 'allow':
      case 'disallow':
        isOpen = false
        // An empty one says nothing: there is no path that it could mean.
        if (value) group?.rules.push(ruleOf(key!.toLowerCase() === 'allow', value))
        break
      case 'crawl-delay':
        if (group && /^\d+(?:\.\d+)?$/.test(value!)) group.delayMs = Number(value) * 1_000
    }
  }
  return groups
}

/** Of `Rapport/1.0` only the name counts. */
function agentOf(value: string): string {
  return value.startsWith('*') ? '*' : (/^[a-z_-]+/i.exec(value)?.[0].toLowerCase() ?? '')
}

function ruleOf(allow: boolean, value: string): Rule {
  const pattern = normalPath(value)
  const isWhole = pattern.endsWith('$')
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).replaceAll('$', '%24').split('*')
  return { allow, pattern, parts, isWhole }
}

function outranks(rule: Rule, best: Rule): boolean {
  return rule.pattern.length > best.pattern.length || (rule.allow && !best.allow)
}

/** Part after part from the left, so that no pattern takes longer than the path is long. */
function matches({ parts, isWhole }: Rule, path: string): boolean {
  const [first = '', ...others] = parts
  if (!path.startsWith(first)) return false
  if (others.length === 0) return !isWhole || path.length === first.length
  const last = isWhole ? others.pop()! : ''
  let at = first.length
  for (const part of others) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return path.length - last.length >= at && path.endsWith(last)
}

/**
 * One spelling for each path: what needs no percent sign has none, everything else has one, in capital letters. Within a
 * query, slashes and colons count among that.
 */
function normalPath(path: string): string {
  const encoded = path
    .toWellFormed()
    .replace(/[^\u0021-\u007e]+/g, encodeURIComponent)
    .replace(/%([0-9a-f]{2})/gi, (whole, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16))
      return /[\w.~-]/.test(character) ? character : whole.toUpperCase()
    })
  const query = encoded.indexOf('?')
  if (query < 0) return encoded
  return encoded.slice(0, query) + encoded.slice(query).replaceAll('/', '%2F').replaceAll(':', '%3A')
}
