import { ActionIcon, Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import IconDots from 'icon:dots'
import { lazy, Suspense, useState } from 'react'
import type { Invoice } from '#domains/invoices/contract.ts'
import { paths } from '../../paths.ts'
import { useCommands } from '../../ui/commands.ts'
import { useKeys } from '../../ui/keys.ts'
import { NARROW } from '../../ui/narrow.ts'
import { ButtonMenu } from '../../ui/menu.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { SaveNotice } from '../../ui/draft/save-notice.tsx'
import { SaveState } from '../../ui/draft/save-state.tsx'
import { toast } from '../../ui/toast.ts'
import { useUndoKeys } from '../../ui/undo.tsx'
import { BackToInvoices } from './back.tsx'
import { problemsOf, type DraftContent } from './draft-content.ts'
import { DraftPaper } from './draft-paper.tsx'
import { DraftTerms } from './draft-terms.tsx'
import { PayWarning } from './no-way-to-pay.tsx'
import { pdfPath } from './pdf-path.ts'
import { useInvoiceDraft } from './use-draft.ts'
import { useDuplicate } from './use-duplicate.ts'
import { invoiceName } from '../../records/invoices/words.ts'
import pageClasses from '../../ui/page.module.css'
import classes from './invoice-page.module.css'
import { invoices } from '../../records/invoices/store.ts'

const OpenDialog = lazy(() => import('./open-dialog.tsx').then(({ OpenDialog }) => ({ default: OpenDialog })))

/** A draft, edited in place and saved automatically. */
export function DraftPage({ invoice }: { invoice: Invoice }) {
  const navigate = useNavigate()
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const draft = useInvoiceDraft(invoice)
  const duplicate = useDuplicate()
  const [asked, setAsked] = useState<'open' | 'send' | null>(null)
  const title = invoiceName(invoice)
  const back = () => void navigate({ to: paths.invoices })

  async function ask(how: 'open' | 'send') {
    if (await draft.save()) setAsked(how)
    else toast("Couldn't save the draft, so it wasn't finalized.")
  }

  // Saved first, so that a restored draft is complete.
  const trash = () => void draft.save().then(async () => void ((await invoices.trash(invoice)) && back()))
  const copy = () => void draft.save().then(() => duplicate(invoice))
  useUndoKeys(draft, true)
  useKeys({ u: back })
  useCommands([
    { id: 'send', group: 'This page', label: 'Finalize and send this invoice', run: () => void ask('send') },
    { id: 'open', group: 'This page', label: 'Finalize this invoice', run: () => void ask('open') },
    { id: 'duplicate', group: 'This page', label: 'Duplicate this invoice', words: 'copy', run: copy },
    {
      id: 'trash',
      group: 'This page',
      label: 'Move this draft to trash',
      words: 'delete remove',
      run: trash,
    },
  ])

  return (
    <>
      <PageHead
        record
        title={title}
        beside={<SaveState draft={draft} errorsIn={errorsIn} />}
        actions={
          <>
            {!narrow && (
              <Button variant="default" onClick={() => void ask('open')}>
                Finalize
              </Button>
            )}
            <Button onClick={() => void ask('send')}>Finalize and send</Button>
            <ButtonMenu
              button={
                <ActionIcon variant="default" aria-label={`More actions for ${title}`}>
                  <IconDots size={16} />
                </ActionIcon>
              }
              items={[
                ...(narrow ? [{ label: 'Finalize without sending', run: () => void ask('open') }] : []),
                { label: 'Preview PDF', file: pdfPath(invoice.id) },
                { label: 'Duplicate', run: copy },
                'divider',
                { label: 'Move to trash', danger: true, run: trash },
              ]}
            />
          </>
        }
      />
      <SaveNotice draft={draft} noun="invoice" />
      <div className={`${pageClasses.scroll} ${classes.scroll}`}>
        <BackToInvoices />
        <PayWarning invoice={invoice} />
        <div className={classes.columns}>
          <DraftPaper draft={draft} />
          <DraftTerms draft={draft} />
        </div>
      </div>
      {asked && (
        <Suspense fallback={null}>
          <OpenDialog invoice={invoice} how={asked} close={() => setAsked(null)} />
        </Suspense>
      )}
    </>
  )
}

function errorsIn(content: DraftContent): number {
  return problemsOf(content).length
}
