import type { Anchor } from './page.ts'

/** Of each kind there are few pages that tell something, and many that do not. */
const PER_TOPIC_MAX = 2
const SEGMENTS_MAX = 4

/** What pages about a company are called, in the languages of our customers' customers, without accents. */
const topics = {
  imprint:
    /^(?:imprint|impressum|legal(?:-?notice)?|mentions?-?legales|aviso-?legal|note-?legali|colofon|site-?notice|anbieterkennzeichnung|empresa-legal)$/,
  contact:
    /^(?:contact(?:-?us|s)?|kontakt(?:e|y)?|get-?in-?touch|contact(?:o|ez-?nous|e-nos|tez-nous)?|contatt[io]|contato|contacteer-ons|neem-contact-op|yhteystiedot|kapcsolat|iletisim|kontakta-oss|kontakt-os|find-?us|locations?|standorte?|anfahrt|reach-?us)$/,
  team: /^(?:(?:our|the|unser|das|meet-?the|meet-?our|notre|l|il-nostro|nuestro|nosso|ons|vart)?-?(?:team|teams|people|equipe|equipo|mitarbeiter|mitarbeitende|ansprechpartner|staff|leadership(?:-team)?|management(?:-?team)?|founders?|vorstand|geschaeftsfuehrung|geschaftsfuhrung|geschaftsleitung|squadra|tym|zespol|mensen))$/,
  about:
    /^(?:about(?:-?us|-?the-?company|-?me)?|who-?we-?are|our-?story|story|ueber-?uns|uber-?uns|wir|wir-?ueber-?uns|a-?propos(?:-de-nous)?|qui-?sommes-?nous|chi-?siamo|quienes-?somos|sobre(?:-?nosotros|-?nos)?|acerca(?:-de)?|over(?:-?ons)?|om(?:-?oss|-?os)?|o-?nas|o-?nama|rolunk|meista|hakkimizda|profil(?:e)?)$/,
  company:
    /^(?:company(?:-?profile)?|unternehmen|firma|the-?company|entreprise|societe|empresa|azienda|bedrijf|foretag(?:et)?|virksomheden|corporate|mission|values|history|geschichte|philosophie)$/,
  jobs: /^(?:jobs?|careers?|karriere|stellen(?:angebote)?|join-?us|work-?with-?us|vacancies|emplois?|recrutement|carrieres?|empleo|trabaja-con-nosotros|lavora-con-noi|vagas|vacatures|werken-bij|jobb|kariera)$/,
} as const
export type Topic = keyof typeof topics

const NO_PAGE = /\.(?!html?$|php$|aspx?$|jsp$|xhtml$)[a-z0-9]{1,5}$/i

/** What a page is about, by its address or by what links to it say. */
export function topicOf(url: URL, text = ''): Topic | undefined {
  const segments = url.pathname.split('/').filter(Boolean)
  if (segments.length > SEGMENTS_MAX || NO_PAGE.test(segments.at(-1) ?? '')) return undefined
  const words = [...segments.map(segment => plain(segment.replace(/\.\w+$/, ''))).toReversed(), plain(text)]
  for (const word of words) {
    for (const [topic, names] of Object.entries(topics)) if (names.test(word)) return topic as Topic
  }
  return undefined
}

/** The pages that most likely tell of the company, in turns of their topics: the best of each comes first. */
export function choosePages(links: readonly { url: URL; text: string }[], wanted: number): URL[] {
  const byTopic = new Map<Topic, URL[]>(Object.keys(topics).map(topic => [topic as Topic, []]))
  const seen = new Set<string>()
  for (const { url, text } of links) {
    const topic = topicOf(url, text)
    if (!topic || seen.has(url.href)) continue
    seen.add(url.href)
    byTopic.get(topic)!.push(url)
  }
  const ranked = [...byTopic.values()].map(urls =>
    urls.toSorted((a, b) => a.pathname.split('/').length - b.pathname.split('/').length),
  )
  const turns = Array.from({ length: PER_TOPIC_MAX }, (_, turn) => ranked.flatMap(urls => urls[turn] ?? []))
  return turns.flat().slice(0, wanted)
}

/** Links that somebody may follow: none to files, none that asks not to be followed. */
export function linksOf(anchors: readonly Anchor[], read: (href: string) => URL | undefined) {
  return anchors.flatMap(({ href, text, isFollowed }) => {
    const url = isFollowed && !/^(?:#|mailto:|tel:|javascript:|data:)/i.test(href) ? read(href) : undefined
    return url ? [{ url, text }] : []
  })
}

function plain(text: string): string {
  let word = text
  try {
    word = decodeURIComponent(text)
  } catch {
    // It is as it is.
  }
  return word
    .slice(0, 60)
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\d]+/gu, '-')
    .replace(/^-|-$/g, '')
}
