import type { NewEntry } from '#domains/conversations/contract.ts'
import type { ReplyDraft } from '../records/conversations/drafts.ts'
import { isProblem } from '../problem.ts'
import { isEmail } from '../records/conversations/recipients.ts'
import { settledUploads, type Attachment } from '../records/files/uploads.ts'

type Letter = Pick<ReplyDraft, 'cc' | 'bcc' | 'files'> & { from: string | null | undefined }

/** What an email has beside its text, as far as it has any. */
export function letterOf({
  cc,
  bcc,
  files,
  from,
}: Letter): Pick<NewEntry, 'mailbox_id' | 'cc' | 'bcc' | 'file_ids'> {
  return {
    ...(from !== undefined && { mailbox_id: from }),
    ...(cc.length > 0 && { cc: cc.map(({ address }) => address) }),
    ...(bcc.length > 0 && { bcc: bcc.map(({ address }) => address) }),
    ...(files.length > 0 && { file_ids: files.flatMap(({ id }) => id ?? []) }),
  }
}

export function copiesFault({ cc, bcc }: Pick<ReplyDraft, 'cc' | 'bcc'>): string | undefined {
  const wrong = [...cc, ...bcc].find(({ address }) => !isEmail(address))
  return wrong && `${wrong.address} is not an email address.`
}

/** Waits for the uploads. Empty if somebody has removed a file meanwhile: then nothing is to be sent. */
export async function filesFault(
  files: readonly Attachment[],
  now: () => readonly Attachment[],
): Promise<string | undefined> {
  await settledUploads(files.map(({ key }) => key))
  const left = now()
  if (left.length !== files.length) return ''
  const missing = left.find(({ id }) => id === null)
  return missing && `${missing.name} was not uploaded. Try again, or remove it.`
}

/** Which file the server does not have any more, if that is what it says: a draft may be older than its files. */
export function goneFault(error: unknown, files: readonly Attachment[]): string | undefined {
  if (!isProblem(error)) return undefined
  const at = error.errors.map(({ path }) => /^file_ids\[(\d+)\]$/.exec(path)?.[1]).find(Boolean)
  const file = at === undefined ? undefined : files[Number(at)]
  return file && `${file.name} is no longer stored. Remove it, and attach it again.`
}
