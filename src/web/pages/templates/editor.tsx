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
import { toast, toastFault } from '../../ui/toast.ts'
import { useBusy } from '../../ui/use-submit.ts'
import { changeOf, fieldsOf, type Fields } from './edits.ts'
import { EditorFields } from './editor-fields.tsx'
import { Preview } from './preview.tsx'
import type { TemplateSearch } from '../../records/templates/search.ts'
import { duplicateTemplate, saveTemplate } from '../../records/templates/template-writes.ts'
import noticeClasses from '../../ui/notice.module.css'
import draftPageClasses from '../../ui/draft-page.module.css'
import panesClasses from '../../ui/panes.module.css'
import classes from './editor.module.css'
import { templates } from '../../records/templates/store.ts'

type Props = { template: Template; search: TemplateSearch }

/** An email template beside its preview. Saving is explicit. */
export function Editor({ template, search }: Props) {
  const navigate = useNavigate()
  /** What the edits build on: the template as loaded or last saved. */
  const [base, setBase] = useState(template)
  const [fields, setFields] = useState(() => fieldsOf(template))
  const [faults, setFaults] = useState<FieldFault[]>([])
  const [wrong, setWrong] = useState<FieldFault[]>([])
  const [conflict, setConflict] = useState(false)
  const change = changeOf(base, fields)
  const { busy, run } = useBusy(error => {
    if (isProblem(error, 412)) {
      setConflict(true)
      templates.refresh()
    } else if (isProblem(error) && error.errors.length > 0) setFaults(error.errors)
    else toastFault(error, "Couldn't save")
  })

  // Someone else saved it, and there are no edits here: take their version.
  if (template.updated_at > base.updated_at && !change && !busy) take(template)

  function take(next: Template) {
    setBase(next)
    setFields(fieldsOf(next))
    setConflict(false)
  }

  function edit(part: Partial<Fields>) {
    setFields({ ...fields, ...part })
    setFaults(faults.filter(({ path }) => !(path in part)))
  }

  async function save(ifMatch: string | undefined = base.updated_at) {
    if (!change) return
    setBase(await saveTemplate(template.id, change, ifMatch))
    setFaults([])
    setConflict(false)
    toast(`Saved ${fields.name}`)
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
    void navigate({ to: patterns.template, params: { id: template.id }, search: next, replace: true })
  const trash = () => {
    setFields(fieldsOf(base))
    void templates.trash(template).then(done => done && void navigate({ to: paths.templates, search: {} }))
  }

  useKeys({ u: () => void navigate({ to: paths.templates, search: {} }), 'mod+s': () => run(save) })

  return (
    <div className={panesClasses.frame}>
      <PageHead
        title={base.name}
        beside={
          <span className={draftPageClasses.unsaved} role="status">
            {change && 'Unsaved changes'}
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
            <Button disabled={!change} loading={busy} onClick={() => run(save)}>
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
                { label: 'Move to trash', danger: true, run: trash },
              ]}
            />
          </>
        }
      />
      {conflict && (
        <div className={noticeClasses.bar} role="alert">
          <span>Someone else changed this template, so your changes are not saved.</span>
          <Button size="xs" onClick={() => take(template)}>
            Load theirs
          </Button>
          <Button size="xs" variant="default" onClick={() => run(() => save(''))}>
            Overwrite with mine
          </Button>
        </div>
      )}
      <div className={`${panesClasses.panes} ${classes.columns}`} data-preview={search.preview || undefined}>
        <EditorFields fields={fields} edit={edit} faults={[...faults, ...wrong]} />
        <Preview fields={fields} search={search} show={show} told={setWrong} />
      </div>
      <LeaveGuard isUnsaved={change !== undefined} name={base.name} />
    </div>
  )
}

/** Asks before leaving with unsaved changes; the browser asks before the tab is closed. */
function LeaveGuard({ isUnsaved, name }: { isUnsaved: boolean; name: string }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: () => isUnsaved,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <Confirm
      title="Leave without saving?"
      verb="Leave without saving"
      act={async () => proceed()}
      close={() => reset()}
    >
      {`Your changes to ${name} will be lost.`}
    </Confirm>
  )
}
