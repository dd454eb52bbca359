// Times in the visitor's zone and language, and links in texts.
const DAY_MS = 86_400_000
const LINK = /https?:\/\/[^\s<>"']+/gi
/** What ends the sentence, not the link. */
const AFTER_LINK = /[.,:;!?)\]}»”’…]+$/

export function formatsOf({ language, config }) {
  // The words decide; a visitor from Austria who reads German gets Austrian dates.
  const locale = language.toLowerCase().startsWith(config.language) ? language : config.language
  const format = options => new Intl.DateTimeFormat(locale, options)
  const clock = { hour: '2-digit', minute: '2-digit' }
  const time = format(clock)
  const weekday = format({ weekday: 'long' })
  const day = format({ weekday: 'short', day: 'numeric', month: 'short' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

  /** Like `10:24` today, `tomorrow, 09:00`, `Tuesday, 09:00` within a week, or the date. */
  function moment(at) {
    const date = new Date(at)
    const days = Math.round((midnight(date) - midnight(new Date())) / DAY_MS)
    if (days === 0) return time.format(date)
    if (Math.abs(days) === 1) return `${relative.format(days, 'day')}, ${time.format(date)}`
    return `${(days > 0 && days < 7 ? weekday : day).format(date)}, ${time.format(date)}`
  }

  function size(bytes) {
    const large = bytes >= 1_000_000
    const unit = large ? 'megabyte' : 'kilobyte'
    const amount = Math.max(1, bytes / (large ? 1_000_000 : 1_000))
    const digits = { maximumFractionDigits: large ? 1 : 0 }
    return new Intl.NumberFormat(locale, { style: 'unit', unit, ...digits }).format(amount)
  }

  /** Like `5 minutes`. */
  function span(minutes) {
    const [unit, amount] =
      minutes < 60 ? ['minute', minutes] : minutes < 1440 ? ['hour', minutes / 60] : ['day', minutes / 1440]
    return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(amount)
  }

  return { span, time: at => time.format(new Date(at)), moment, size }
}

function midnight(date) {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}

/** Text stays text; only whole addresses of the web become links. */
export function linked(make, text) {
  const parts = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(LINK)) {
    const href = found.replace(AFTER_LINK, '')
    if (!isAddress(href)) continue
    parts.push(text.slice(from, index))
    parts.push(make('a', { href, textContent: href, target: '_blank', rel: 'noopener nofollow ugc' }))
    from = index + href.length
  }
  parts.push(text.slice(from))
  return parts
}

function isAddress(text) {
  try {
    return Boolean(new URL(text).host)
  } catch {
    return false
  }
}

export function initialsOf(name) {
  const words = name.trim().split(/\s+/)
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words
  return chosen
    .map(word => [...word][0] ?? '')
    .join('')
    .toUpperCase()
}
