import { UnstyledButton } from '@mantine/core'
import IconChevronDown from 'icon:chevron-down'
import { lazy, Suspense } from 'react'
import type { Recipient } from '../records/conversations/recipients.ts'
import type { Sender } from '../records/conversations/senders.ts'
import { ButtonMenu } from '../ui/menu.tsx'
import textClasses from '../ui/text.module.css'
import classes from './email-fields.module.css'

const RecipientsField = lazy(() =>
  import('./recipients-field.tsx').then(({ RecipientsField }) => ({ default: RecipientsField })),
)

/** The fields for copies: not shown, shown, or just asked for. */
export type CopiesShown = 'no' | 'yes' | 'asked'

type Copies = { cc: readonly Recipient[]; bcc: readonly Recipient[] }

type Props = Copies & {
  senders: readonly Sender[]
  /** Undefined: there is nothing to choose from. */
  from: string | null | undefined
  setFrom: (id: string | null) => void
  set: (change: Partial<Copies>) => void
  shown: CopiesShown
  /** The one that was asked for has the focus. */
  begun: () => void
  disabled: boolean
  /** What is wrong with the copies. */
  faults?: { cc?: string | undefined; bcc?: string | undefined }
}

/** What an email has beside its text: from which mailbox, and who gets a copy. */
export function EmailFields(props: Props) {
  const { senders, from, setFrom, cc, bcc, set, shown, begun, disabled, faults } = props
  return (
    <>
      {from !== undefined && (
        <div className={classes.row}>
          <span className={classes.name} aria-hidden>
            From
          </span>
          <ButtonMenu
            position="bottom-start"
            button={
              <UnstyledButton className={classes.from} disabled={disabled}>
                <span className={textClasses.hidden}>From </span>
                <span className={textClasses.cut}>{senders.find(({ id }) => id === from)?.label}</span>
                <IconChevronDown size={14} aria-hidden />
              </UnstyledButton>
            }
            items={senders.map(({ id, label, works }) => ({
              label: works ? label : `${label} (not working)`,
              current: id === from,
              run: () => setFrom(id),
            }))}
          />
        </div>
      )}
      {shown !== 'no' && (
        <Suspense fallback={null}>
          <RecipientsField
            label="Cc"
            value={cc}
            set={cc => set({ cc })}
            {...(shown === 'asked' && { begun })}
            fault={faults?.cc}
            disabled={disabled}
          />
          <RecipientsField
            label="Bcc"
            value={bcc}
            set={bcc => set({ bcc })}
            fault={faults?.bcc}
            disabled={disabled}
          />
        </Suspense>
      )}
    </>
  )
}

export function CopiesButton({ show }: { show: () => void }) {
  return (
    <UnstyledButton
      className={classes.copies}

      title="Add Cc and Bcc"
      onClick={show}
    >
      Cc Bcc
    </UnstyledButton>
  )
}
