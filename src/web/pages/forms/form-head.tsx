import { ActionIcon, Button, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import IconDots from 'icon:dots'
import { lazy, Suspense, useState } from 'react'
import type { FormWithCounts } from '#domains/forms/contract.ts'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { useCommands } from '../../ui/commands.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Dotted } from '../../ui/stage.tsx'
import { toast } from '../../ui/toast.ts'
import type { FormDraft } from './draft.ts'
import { problemsOf } from './draft-problems.ts'
import { FormStatus } from './form-status.tsx'
import { unpublishForm } from './form-writes.ts'
import { hostedPath } from './hosted.ts'
import { SaveState } from '../../ui/draft/save-state.tsx'
import { menuProps } from '../../ui/menu-props.ts'
import classes from '../../ui/draft-page.module.css'
import noticeClasses from '../../ui/notice.module.css'
import { forms } from '../../records/forms/store.ts'

const Publish = lazy(() =>
  import('./publish-dialog.tsx').then(({ PublishDialog }) => ({ default: PublishDialog })),
)
const Versions = lazy(() => import('./versions.tsx').then(({ Versions }) => ({ default: Versions })))

type Props = { form: FormWithCounts; draft: FormDraft }

/** Name, publishing status and actions of the form. */
export function FormHead({ form, draft }: Props) {
  const navigate = useNavigate()
  const canWrite = useCan('forms:write')
  const [open, setOpen] = useState<'publish' | 'versions' | null>(null)
  const isUnsaved = draft.state.use(({ saving }) => saving !== 'saved')
  const isNews = form.draft_changed || isUnsaved || !form.published
  const isHidden = form.published && form.draft_changed
  const close = () => setOpen(null)
  const trash = () => void forms.trash(form).then(done => void (done && navigate({ to: paths.forms })))

  async function publish() {
    if (await draft.save()) setOpen('publish')
    else toast("Couldn't save the form, so it was not published.")
  }

  useCommands([
    {
      id: 'versions',
      group: 'This page',
      label: 'Show versions of this form',
      run: () => setOpen('versions'),
    },
    ...(canWrite
      ? [
          {
            id: 'publish',
            group: 'This page' as const,
            label: 'Publish this form',
            run: () => void publish(),
          },
          {
            id: 'trash',
            group: 'This page' as const,
            label: 'Move this form to trash',
            words: 'delete remove',
            run: trash,
          },
        ]
      : []),
  ])

  return (
    <>
      <PageHead
        title={form.name}
        beside={
          <span className={classes.status}>
            {isHidden ? <Dotted tone="amber">{HIDDEN}</Dotted> : <FormStatus form={form} />}
          </span>
        }
        actions={
          <>
            {canWrite && <SaveState draft={draft} errorsIn={content => problemsOf(content).length} />}
            {canWrite && (
              <Button disabled={!isNews} onClick={() => void publish()}>
                Publish
              </Button>
            )}
            <Menu position="bottom-end" {...menuProps}>
              <Menu.Target>
                <ActionIcon variant="default" aria-label={`More actions for ${form.name}`}>
                  <IconDots size={16} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                {form.published && (
                  <Menu.Item component="a" href={hostedPath(form.slug)} target="_blank" rel="noreferrer">
                    Open page
                  </Menu.Item>
                )}
                <Menu.Item onClick={() => setOpen('versions')}>Versions</Menu.Item>
                {canWrite && form.published && (
                  <Menu.Item onClick={() => void unpublishForm(form)}>Unpublish</Menu.Item>
                )}
                {canWrite && (
                  <>
                    <Menu.Divider />
                    <Menu.Item color="red" onClick={trash}>
                      Move to trash
                    </Menu.Item>
                  </>
                )}
              </Menu.Dropdown>
            </Menu>
          </>
        }
      />
      {isHidden && <p className={`${noticeClasses.bar} ${classes.hint}`}>{HIDDEN}</p>}
      <Suspense fallback={null}>
        {open === 'publish' && <Publish form={form} close={close} />}
        {open === 'versions' && <Versions form={form} draft={draft} close={close} />}
      </Suspense>
    </>
  )
}

const HIDDEN = 'Unpublished changes'
