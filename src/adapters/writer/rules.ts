import { createHash } from 'node:crypto'
import type { Fact, Writer, WritingTask } from '#platform/ports/writer.ts'
import { nearestPassage } from './nearest-passage.ts'
import { nearestReplies } from './nearest-reply.ts'

const MODEL = 'rules-1'
const VALUE_LENGTH_MAX = 80
const SENTENCES_MAX = 2

/**
 * The embedded default: says what is known about somebody in a plain sentence or two, and nothing else. The same facts
 * give the same words, and different people get different ones.
 */
export function rulesWriter(): Writer {
  return {
    kind: 'rules',
    async write(task) {
      return { text: compose(task), model: MODEL, tokens_in: 0, tokens_out: 0 }
    },
    async answer(task) {
      const reply = nearestReplies(task, 1).find(({ text }) => text.length <= task.characters_max)
      return reply && { text: reply.text, used: [reply.id], model: MODEL, tokens_in: 0, tokens_out: 0 }
    },
    // Whether and when to use a tool takes a model: it has none.
    async converse(task) {
      const nearest = nearestPassage(task)
      const about = { model: MODEL, tokens_in: 0, tokens_out: 0 }
      return nearest && { kind: 'answer', ...nearest, used: [nearest.used], ...about }
    },
    async check() {},
  }
}

function compose({ facts, characters_max }: WritingTask): string {
  const known = knownOf(facts)
  const choice = createHash('sha256').update(JSON.stringify(known)).digest()
  let text = ''
  let sentences = 0
  const told = new Set<Name>()
  for (const [at, { needs, variants }] of rules.entries()) {
    if (sentences === SENTENCES_MAX || !needs.every(name => known[name])) continue
    // A second sentence that only repeats the first one says less than none.
    if (needs.some(name => told.has(name))) continue
    const variant = variants[choice[at]! % variants.length]!
    const sentence = variant.replace(/\{(\w+)\}/g, (_, name: Name) => known[name]!)
    const longer = text ? `${text} ${sentence}` : sentence
    if (longer.length > characters_max) continue
    text = longer
    sentences++
    for (const name of needs) told.add(name)
  }
  if (!text) throw new Error('Not enough is known about the lead to write an icebreaker.')
  return text
}

type Name = 'form' | 'role' | 'company' | 'industry' | 'city'

/** The most personal first. None claims anything that is not in the facts themselves. */
const rules: { needs: Name[]; variants: string[] }[] = [
  {
    needs: ['form'],
    variants: ['Thank you for filling in “{form}”.', 'You filled in “{form}”, thank you for that.'],
  },
  {
    needs: ['role', 'company'],
    variants: [
      'I am writing to you as {role} at {company}.',
      'You are {role} at {company}, and that is why I am writing to you.',
      'My question is one for the {role} at {company}.',
    ],
  },
  {
    needs: ['company', 'industry'],
    variants: [
      'I am writing because {company} works in {industry}.',
      '{company} works in {industry}, and that is why I thought of you.',
    ],
  },
  {
    needs: ['company', 'city'],
    variants: ['I am writing to {company} in {city}.', 'This is about {company} in {city}.'],
  },
  { needs: ['company'], variants: ['This is about {company}.', 'I am writing to you about {company}.'] },
  {
    needs: ['role', 'industry'],
    variants: ['I am writing to you as {role} in {industry}.', 'You are {role} in {industry}.'],
  },
  { needs: ['role'], variants: ['I am writing to you as {role}.', 'My question is one for the {role}.'] },
  {
    needs: ['industry'],
    variants: ['I am writing to people who work in {industry}.', 'This is about {industry}.'],
  },
  { needs: ['city'], variants: ['I am writing to people in {city}.', 'I am writing to you in {city}.'] },
]

/**
 * The names under which a fact may come. Notes are left out on purpose: what colleagues write to each other about
 * somebody is not for that person to read, and rules cannot tell the one from the other.
 */
const names: Record<string, Name | 'website'> = {
  form: 'form',
  formname: 'form',
  lastform: 'form',
  recentform: 'form',
  role: 'role',
  title: 'role',
  jobtitle: 'role',
  position: 'role',
  company: 'company',
  companyname: 'company',
  account: 'company',
  industry: 'industry',
  city: 'city',
  website: 'website',
}

function knownOf(facts: readonly Fact[]): Partial<Record<Name, string>> {
  const known: Partial<Record<Name | 'website', string>> = {}
  for (const { name, value } of facts) {
    const key = names[name.toLowerCase().replace(/[^a-z]/g, '')]
    const text = key === 'website' ? hostOf(value) : plain(value)
    if (key && text && !known[key]) known[key] = text
  }
  const { website, ...rest } = known
  // A company that is known by its address alone is called by it.
  return website && !rest.company ? { ...rest, company: website } : rest
}

/** Strangers type these into public forms: a value that is an address, markup or a placeholder is not repeated. */
function plain(value: string): string | undefined {
  const text = value.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  const odd = /https?:|www\.|[<>{}[\]@]|\w\.\w+\//i.test(text)
  return text && text.length <= VALUE_LENGTH_MAX && !odd ? text.replace(/[.!?]+$/, '') : undefined
}

function hostOf(value: string): string | undefined {
  const text = /^https?:\/\//i.test(value) ? value : `https://${value}`
  const host = URL.canParse(text) ? new URL(text).hostname.replace(/^www\./, '') : ''
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/.test(host) && host.length <= VALUE_LENGTH_MAX
    ? host
    : undefined
}
