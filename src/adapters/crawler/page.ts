import { load } from 'cheerio'

const BLOCKS_MAX = 5_000
const ANCHORS_MAX = 2_000
const RESOURCES_MAX = 500
const ITEMS_MAX = 200
/** Of the text of one element so many pieces are looked at: nothing that is one fact has more. */
const PIECES_MAX = 200
const INLINE_SCRIPT_LENGTH_MAX = 400

/** Something that a page describes by properties: microdata and h-cards, put like JSON-LD. */
export type Item = { '@type': string; [property: string]: unknown }
export type Block = { text: string; isHeading: boolean }
export type Anchor = { href: string; text: string; isFollowed: boolean }

/** What there is on a page, in one walk over it; nothing is judged yet. */
export type Page = {
  language: string | undefined
  title: string
  base: string | undefined
  /** By name, property or http-equiv, in small letters, in their order. */
  metas: [name: string, content: string][]
  /** What the head links to. */
  relations: { rel: string; href: string; type: string }[]
  anchors: Anchor[]
  /** Mails as Cloudflare hides them. */
  hiddenMails: string[]
  /** The text that is seen, one line of it each. */
  blocks: Block[]
  addresses: string[]
  jsonLd: string[]
  items: Item[]
  /** Scripts, style sheets and frames by their addresses, and the beginnings of scripts that have none. */
  resources: string[]
}

/** As much of the tree as we look at. Trees may be deeper than a stack: nothing here walks them by calling itself. */
type Node = {
  type: string
  name?: string
  data?: string
  attribs?: Record<string, string>
  children?: Node[]
  next: Node | null
  parent: Node | null
}

/** An element whose text is wanted when it ends. */
type Capture = { node: Node; from: number; take(text: string): void }

const UNSEEN = new Set(
  'style noscript template svg math iframe object select textarea canvas video audio'.split(' '),
)
const INLINE = new Set(
  `a abbr b bdi bdo big cite code data dfn em font i img ins kbd label mark meter q s samp small span strike strong sub
  sup time tt u var wbr`.split(/\s+/),
)
const HEADINGS = /^h[1-6]$/

export function readPage(html: string): Page {
  const walk = new Walk()
  const root = load(html).root()[0] as unknown as Node
  let node: Node | null = root
  while (node) {
    const first: Node | undefined = walk.enter(node) ? node.children?.[0] : undefined
    if (first) {
      node = first
      continue
    }
    walk.leave(node)
    while (node && !node.next) {
      node = node.parent
      if (node) walk.leave(node)
    }
    node = node?.next ?? null
  }
  return walk.end()
}

class Walk {
  readonly page: Page = {
    language: undefined,
    title: '',
    base: undefined,
    metas: [],
    relations: [],
    anchors: [],
    hiddenMails: [],
    blocks: [],
    addresses: [],
    jsonLd: [],
    items: [],
    resources: [],
  }
  /** All text so far, and where in it the line at hand begins. */
  readonly #pieces: string[] = []
  #lineFrom = 0
  #headingDepth = 0
  readonly #captures: Capture[] = []
  readonly #items: { node: Node; item: Item }[] = []

  /** Answers whether what is within is looked at as well. */
  enter(node: Node): boolean {
    if (node.type === 'text') {
      if (node.data!.trim() !== '') this.#pieces.push(node.data!)
      else if (this.#pieces.length > this.#lineFrom) this.#pieces.push(' ')
      return false
    }
    const { name, attribs } = node
    if (!attribs || name === undefined) return node.type === 'root'
    if (UNSEEN.has(name)) {
      if (name === 'iframe' && attribs['src']) this.#resource(attribs['src'])
      return false
    }
    if (!INLINE.has(name)) this.#endLine()
    this.#look(node, name, attribs)
    if (attribs['itemscope'] !== undefined || attribs['itemprop'] || attribs['class'])
      this.#describe(node, attribs)
    return name !== 'script'
  }

  leave(node: Node): void {
    const { name } = node
    if (name === undefined || !node.attribs) return
    while (this.#captures.at(-1)?.node === node) {
      const { from, take } = this.#captures.pop()!
      take(this.#textFrom(from))
    }
    if (this.#items.at(-1)?.node === node) this.#items.pop()
    if (INLINE.has(name)) return
    this.#endLine()
    if (HEADINGS.test(name)) this.#headingDepth--
  }

  end(): Page {
    this.#endLine()
    return this.page
  }

  #look(node: Node, name: string, attribs: Record<string, string>): void {
    const { page } = this
    switch (name) {
      case 'html':
        page.language ??= attribs['lang'] || attribs['xml:lang']
        break
      case 'base':
        page.base ??= attribs['href']
        break
      case 'title':
        this.#capture(node, text => (page.title ||= text))
        break
      case 'meta': {
        const key = attribs['name'] ?? attribs['property'] ?? attribs['http-equiv']
        if (key && attribs['content'] && page.metas.length < RESOURCES_MAX)
          page.metas.push([key.trim().toLowerCase(), attribs['content']])
        break
      }
      case 'link': {
        const { rel, href, type = '' } = attribs
        if (!rel || !href || page.relations.length >= RESOURCES_MAX) break
        page.relations.push({ rel: rel.toLowerCase(), href, type: type.toLowerCase() })
        this.#resource(href)
        break
      }
      case 'script':
        this.#script(node, attribs)
        break
      case 'a':
        this.#anchor(node, attribs)
        break
      case 'address':
        this.#capture(node, text => page.addresses.push(text))
        break
      case 'img':
        if (attribs['src'] && !attribs['src'].startsWith('data:')) this.#resource(attribs['src'])
        break
      default:
        if (HEADINGS.test(name)) this.#headingDepth++
    }
    if (attribs['data-cfemail']) page.hiddenMails.push(attribs['data-cfemail'])
  }

  #script(node: Node, { type = '', src }: Record<string, string>): void {
    if (src) return this.#resource(src)
    const text = node.children?.[0]?.data ?? ''
    if (/^application\/ld\+json/i.test(type)) this.page.jsonLd.push(text)
    else this.#resource(text.slice(0, INLINE_SCRIPT_LENGTH_MAX))
  }

  #anchor(node: Node, { href, rel = '', title = '' }: Record<string, string>): void {
    const { anchors, hiddenMails } = this.page
    if (!href || anchors.length >= ANCHORS_MAX) return
    const hidden = /\/cdn-cgi\/l\/email-protection#([0-9a-f]+)$/i.exec(href)
    if (hidden) hiddenMails.push(hidden[1]!)
    const anchor = { href, text: title, isFollowed: !/\bnofollow\b/i.test(rel) }
    anchors.push(anchor)
    this.#capture(node, text => (anchor.text = text || title))
  }

  #describe(node: Node, attribs: Record<string, string>): void {
    const around = this.#items.at(-1)?.item
    const property = attribs['itemprop']
    if (attribs['itemscope'] !== undefined) {
      const item = this.#item(node, attribs['itemtype']?.split('/').pop()?.trim() ?? 'Thing')
      if (item && property && around) put(around, property, item)
      return
    }
    if (property && around) {
      const told = attribs['content'] ?? attribs['datetime'] ?? addressIn(attribs)
      if (told !== undefined) put(around, property, told)
      else this.#capture(node, text => put(around, property, text))
      return
    }
    const classes = attribs['class']?.split(/\s+/) ?? []
    if (classes.includes('h-card') || classes.includes('vcard')) return void this.#item(node, 'Person')
    if (!around) return
    const meant = classes.map(name => cardProperties[name]).find(Boolean)
    if (meant) this.#capture(node, text => put(around, meant, text))
  }

  #item(node: Node, type: string): Item | undefined {
    if (this.page.items.length >= ITEMS_MAX) return undefined
    const item: Item = { '@type': type }
    this.page.items.push(item)
    this.#items.push({ node, item })
    return item
  }

  #resource(text: string): void {
    if (this.page.resources.length < RESOURCES_MAX) this.page.resources.push(text)
  }

  #capture(node: Node, take: (text: string) => void): void {
    this.#captures.push({ node, from: this.#pieces.length, take })
  }

  #textFrom(from: number): string {
    return this.#pieces
      .slice(from, from + PIECES_MAX)
      .join('')
      .replace(/\s+/g, ' ')
      .trim()
  }

  #endLine(): void {
    const from = this.#lineFrom
    this.#lineFrom = this.#pieces.length
    if (this.#lineFrom === from || this.page.blocks.length >= BLOCKS_MAX) return
    const text = this.#pieces.slice(from).join('').replace(/\s+/g, ' ').trim()
    // A space between two lines, so that text can be matched across them.
    this.#pieces.push(' ')
    this.#lineFrom++
    if (text) this.page.blocks.push({ text, isHeading: this.#headingDepth > 0 })
  }
}

const cardProperties: Record<string, string> = {
  'p-name': 'name',
  fn: 'name',
  'p-job-title': 'jobTitle',
  title: 'jobTitle',
  role: 'jobTitle',
  'u-email': 'email',
  email: 'email',
  'p-tel': 'telephone',
  tel: 'telephone',
}

/** The first word on something counts, as with people. */
function put(item: Item, property: string, value: unknown): void {
  for (const name of property.split(/\s+/)) if (name && name !== '__proto__') item[name] ??= value
}

function addressIn({ href, src }: Record<string, string>): string | undefined {
  return href?.replace(/^(?:mailto|tel):/i, '') ?? src
}
