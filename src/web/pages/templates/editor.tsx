import { ActionIcon, Button } from '@mantine/core'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import IconDots from 'icon:dots'
import { useState } from 'react'
import type { Template } from '#domains/templates/contract.ts'
import { paths, patterns } from '../../paths.ts'
import { isProblem, type FieldFault } from '../../problem.ts'
import { useKeys } from '../../ui/keys.ts'
import { ButtonMenu } from '../../ui/menu.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Confirm } from '../../ui/seldom-dialogs.tsx'
import { toastFault, toastWithUndo } from '../../ui/toast.ts'
import { useUndoKeys } from '../../ui/undo.tsx'
import { differing } from '../../ui/draft/draft.ts'
import { SaveNotice } from '../../ui/draft/save-notice.tsx'
import type { TemplateDraft } from './draft.ts'
import { EditorFields } from './editor-fields.tsx'
import { Preview } from './preview.tsx'
import { useTemplateDraft } from './use-draft.ts'
import type { TemplateSearch } from '../../records/templates/search.ts'
import { duplicateTemplate } from '../../records/templates/template-writes.ts'
import draftPageClasses from '../../ui/draft-page.module.css'
import panesClasses from '../../ui/panes.module.css'
import classes from './editor.module.css'
import { templates } from '../../records/templates/store.ts'

type Props = { template: Template; search: TemplateSearch }

/** An email template beside its preview. Saving is explicit. */
export function Editor({ template, search }: Props) {
  const { id } = template
  const navigate = useNavigate()
  const draft = useTemplateDraft(template)
  const { history, base, saving, error } = draft.state.use(state => state)
  /** Errors of the preview; those of the last attempt to save are in the draft. */
  const [wrong, setWrong] = useState<FieldFault[]>([])
  const fields = history.now
  const refused = isProblem(error) ? error.errors : []
  const isUnsaved = saving !== 'saved'

  async function save() {
    const { history, saved, saving } = draft.state.get()
    if (saving === 'saved' || saving === 'saving' || !(await draft.save())) return
    const { base } = draft.state.get()
    toastWithUndo(`Saved ${base.name}`, () => templates.revert(base, differing(history.now, saved)))
  }

  async function duplicate() {
    try {
      const { id } = await duplicateTemplate({ ...template, ...fields })
      void navigate({ to: patterns.template, params: { id }, search: {} })
    } catch (error) {
      toastFault(error, "Couldn't duplicate")
    }
  }

  const show = (next: TemplateSearch) =>
    void navigate({ to: patterns.template, params: { id }, search: next, replace: true })
  /** What is not saved is kept: the template may be restored. */
  async function trash() {
    if (await templates.trash(template))
      void navigate({ to: paths.templates, search: {}, ignoreBlocker: true })
  }

  useKeys({ u: () => void navigate({ to: paths.templates, search: {} }), 'mod+s': () => void save() })
  useUndoKeys(draft, true)

  return (
    <div className={panesClasses.frame}>
      <PageHead
        title={base.name}
        beside={
          <span className={draftPageClasses.unsaved} role="status">
            {isUnsaved && 'Unsaved changes'}
          </span>
        }
        actions={
          <>
            <Button
              variant="default"
              className={classes.switch}
              aria-pressed={search.preview === true}
              onClick={() => {
                const { preview, ...rest } = search
                show(preview ? rest : { ...rest, preview: true })
              }}
            >
              {search.preview ? 'Edit' : 'Preview'}
            </Button>
            <Button disabled={!isUnsaved} loading={saving === 'saving'} onClick={() => void save()}>
              Save
            </Button>
            <ButtonMenu
              button={
                <ActionIcon variant="default" aria-label={`More actions for ${base.name}`}>
                  <IconDots size={16} />
                </ActionIcon>
              }
              items={[
                { label: 'Duplicate', run: () => void duplicate() },
                'divider',
                { label: 'Move to trash', danger: true, run: () => void trash() },
              ]}
            />
          </>
        }
      />
      <SaveNotice draft={draft} noun="template" isExplained={refused.length > 0} />
      <div className={`${panesClasses.panes} ${classes.columns}`} data-preview={search.preview || undefined}>
        <EditorFields fields={fields} edit={draft.write} faults={[...refused, ...wrong]} />
        <Preview fields={fields} search={search} show={show} told={setWrong} />
      </div>
      <LeaveGuard draft={draft} name={base.name} />
    </div>
  )
}

/** Asks before leaving with unsaved changes; the browser asks before the tab is closed. */
function LeaveGuard({ draft, name }: { draft: TemplateDraft; name: string }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => draft.isUnsaved() && current.pathname !== next.pathname,
    enableBeforeUnload: false,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <Confirm
      title="Leave without saving?"
      verb="Leave without saving"
      act={async () => {
        draft.giveUp()
        proceed()
      }}
      close={() => reset()}
    >
      {`Your changes to ${name} will be lost.`}
    </Confirm>
  )
}
