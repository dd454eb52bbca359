import type { Context } from '#platform/context.ts'
import { escape } from '#platform/html.ts'
import { invalid, type Fault } from '#platform/problem.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { valuesOf } from '#domains/messages/letters.ts'
import { findLastEmailTo } from '#domains/messages/service.ts'
import { senderOf } from '#domains/messages/settings.ts'
import type { MailboxRow } from '#domains/mailboxes/sending.ts'
import type { Values } from '#domains/templates/placeholders.ts'
import { compileText, mergeText } from '#domains/templates/merge.ts'
import { compile, renderBody, wrap, wrapText, type Part } from '#domains/templates/render.ts'
import { customKeys } from '#domains/templates/service.ts'
import { findLastEmail } from './entry-store.ts'
import type { ConversationRow } from './store.ts'

/** References name the first and the latest emails of a long exchange, as mail programs do. */
const THREAD_MAX = 20
const MESSAGE_ID = /^<?([^<>\s@]+@[^<>\s@]+)>?$/

/** A message as it goes out. */
export type Filled = {
  subject: string | null
  text: string
  signature: { html: string; text: string } | null
}

/** What a message is made of. */
export type Draft = {
  /** As the writer gave it. */
  subject: string | undefined
  /** That of the email it answers: a stranger's words, in which a placeholder is a text like any other. */
  inherited: string | null
  text: string
  /** The text is finished, and may quote a stranger: nothing is filled in. */
  isFinished: boolean
  /** That of the mailbox, instead of the team's. */
  signature: string | null
  /** Who writes, for {{senderName}} in it; null for the name of the team's settings. */
  sender_name: string | null
}

/** Placeholders are filled in where the writer has put them, and nowhere else. */
export async function fillIn(
  ctx: Context,
  lead: Lead | undefined,
  { subject, inherited, text, isFinished, signature, sender_name }: Draft,
): Promise<Filled> {
  const [keys, sender] = await Promise.all([customKeys(ctx), senderOf(ctx)])
  const values = lead ? valuesOf(ctx, lead, sender) : {}
  const faults: Fault[] = []
  const filled = (path: string, written: string) => {
    const merged = mergeText(compileText(written, keys), values)
    for (const name of merged.missing)
      faults.push({
        path,
        message: lead
          ? `{{${name}}} has no value for this lead`
          : `{{${name}}} has no value: this is no lead yet`,
      })
    return merged.text
  }
  const result = {
    subject: subject === undefined ? inherited : filled('subject', subject),
    text: isFinished ? text : filled('text', text),
  }
  if (faults.length > 0) throw invalid(faults)
  const signed = signature ?? sender.signature
  const named = sender_name === null ? values : { ...values, senderName: sender_name }
  return { ...result, signature: signed ? signatureOf(signed, named) : null }
}

/** Markdown both ways, HTML and text, as it is in the email and in its preview. */
export function signatureOf(signature: string, values: Values): Part {
  return renderBody(compile({ subject: '', body: signature, format: 'markdown' }, []), values)
}

/** The name in the signature: the mailbox's, or else that of the person who writes. Workflows have none. */
export function signerOf({ actor }: Context, mailbox: Pick<MailboxRow, 'name'> | undefined): string | null {
  return mailbox?.name ?? (actor.kind === 'workflow' ? null : actor.name)
}

/** An email as one person writes to another: no footer, and nothing that counts who opens it. */
export function emailOf({
  subject,
  text,
  signature,
  html,
}: Filled & { subject: string; html?: string | undefined }) {
  return {
    subject,
    html: wrap({ title: subject, body: html ?? asHtml(text), signature: signature?.html }),
    text: wrapText({ body: text, signature: signature?.text }),
  }
}

export function answering(subject: string): string {
  return /^re:/i.test(subject) ? subject : `Re: ${subject}`
}

/** The Message-IDs that an answer names, the oldest first. */
export async function threadOf(
  ctx: Context,
  { id, lead_id }: Pick<ConversationRow, 'id' | 'lead_id'>,
  to: string,
) {
  const [incoming, outgoing] = await Promise.all([
    findLastEmail(ctx, id),
    lead_id === null ? undefined : findLastEmailTo(ctx, lead_id, to),
  ])
  const theirs = MESSAGE_ID.exec(incoming?.message_id ?? '')?.[1]
  const before = outgoing?.message_id ? [...outgoing.thread, outgoing.message_id] : []
  const isTheirsLast = theirs !== undefined && (!outgoing || outgoing.due_at <= incoming!.at)
  const all = [...new Set([...before, ...(isTheirsLast ? [`<${theirs}>`] : [])])]
  return all.length <= THREAD_MAX ? all : [all[0]!, ...all.slice(1 - THREAD_MAX)]
}

export function asHtml(text: string): string {
  return text
    .split(/\n{2,}/)
    .map(paragraph => `<p>${withLinks(paragraph).replaceAll('\n', '<br>\n')}</p>`)
    .join('\n')
}

/** Addresses can be clicked; a full stop or bracket after one belongs to the sentence. */
function withLinks(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'])/)
    .map((piece, at) => (at % 2 === 0 ? escape(piece) : `<a href="${escape(piece)}">${escape(piece)}</a>`))
    .join('')
}
