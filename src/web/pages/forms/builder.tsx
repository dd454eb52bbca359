import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import IconEye from 'icon:eye'
import { lazy, Suspense, useState } from 'react'
import type { FormWithCounts } from '#domains/forms/contract.ts'
import type { FieldType } from '#domains/forms/values.ts'
import { useCan } from '../../queries.ts'
import { Bar } from '../../ui/states.tsx'
import { toastWithUndo } from '../../ui/toast.ts'
import { UndoButtons, useUndoKeys } from '../../ui/undo.tsx'
import { AddField } from './add-field.tsx'
import type { FormDraft } from './draft.ts'
import type { DraftField } from './draft-content.ts'
import { problemsOf } from './draft-problems.ts'
import { FieldList } from './field-list.tsx'
import { copyOf, newField } from './field-kinds.ts'
import type { FormSearch } from '../../records/forms/search.ts'
import { useKeptKeys } from './use-kept-keys.ts'
import { useSelection } from './use-selection.ts'
import pageClasses from '../../ui/page.module.css'
import panesClasses from '../../ui/panes.module.css'
import classes from './builder.module.css'

// The list loads first, the panels and the preview after it.
const FieldPanel = lazy(() => import('./field-panel.tsx').then(({ FieldPanel }) => ({ default: FieldPanel })))
const FormPanel = lazy(() => import('./form-panel.tsx').then(({ FormPanel }) => ({ default: FormPanel })))
const Preview = lazy(() => import('./preview.tsx').then(({ Preview }) => ({ default: Preview })))

/** Wide enough for the fields, the panel and the preview. */
const WIDE = '(min-width: 1180px)'

type Props = {
  form: FormWithCounts
  draft: FormDraft
  search: FormSearch
  show: (search: FormSearch) => void
}

/** The list of fields, the panel of the selected one, and a preview of the page. */
export function Builder({ form, draft, search, show }: Props) {
  const canWrite = useCan('forms:write')
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false })
  const content = draft.state.use(({ history }) => history.now)
  const problems = problemsOf(content)
  const selection = useSelection(content, search, show)
  const kept = useKeptKeys(form)
  const [fresh, setFresh] = useState<string>()
  const field = content.fields.find(({ id }) => id === selection.id)
  const isPreviewed = isWide || search.preview === true
  useUndoKeys(draft, canWrite)

  function put(added: DraftField, at: number) {
    draft.act({ kind: 'add', field: added, at })
    setFresh(added.id)
    selection.select(added.id)
  }

  function add(type: FieldType) {
    const last = Math.max(0, content.steps.length - 1)
    const at = field ? content.fields.indexOf(field) + 1 : content.fields.length
    put(newField(type, content, field?.step ?? last), at)
  }

  function remove(gone: DraftField) {
    const at = content.fields.indexOf(gone)
    draft.act({ kind: 'remove', id: gone.id })
    if (selection.id === gone.id) selection.select(null)
    toastWithUndo(`Removed ${gone.label || 'the field'}`, async () =>
      draft.act({ kind: 'add', field: gone, at }),
    )
  }

  return (
    <div
      className={panesClasses.frame}
      data-open={selection.id !== null || undefined}
      data-wide={isWide || undefined}
    >
      {(canWrite || !isWide) && (
        <div className={pageClasses.bar}>
          {canWrite && <AddField fields={content.fields.length} add={add} />}
          {canWrite && <UndoButtons draft={draft} />}
          {!isWide && (
            <Button
              size="xs"
              ml="auto"
              variant={search.preview ? 'light' : 'default'}
              aria-pressed={search.preview === true}
              leftSection={<IconEye size={16} />}
              onClick={() => show(search.preview ? without(search) : { ...search, preview: true })}
            >
              Preview
            </Button>
          )}
        </div>
      )}
      <div
        className={`${panesClasses.panes} ${classes.columns}`}
        data-preview={(!isWide && search.preview) || undefined}
      >
        <FieldList
          content={content}
          problems={problems}
          selected={selection.id}
          canWrite={canWrite}
          select={selection.select}
          act={draft.act}
          copy={field => put(copyOf(field, content), content.fields.indexOf(field) + 1)}
          remove={remove}
        />
        <section className={classes.panel} aria-label={field ? `Field ${field.label}` : 'Form details'}>
          <Button
            className={classes.back}
            size="xs"
            variant="subtle"
            color="gray"
            onClick={() => selection.select(null)}
          >
            Back to fields
          </Button>
          {/* Read-only for those who cannot write. */}
          <fieldset disabled={!canWrite}>
            <Suspense fallback={<PanelWaiting />}>
              {field ? (
                <FieldPanel
                  key={field.id}
                  field={field}
                  content={content}
                  problems={problems}
                  kept={kept}
                  isFresh={fresh === field.id}
                  act={draft.act}
                />
              ) : (
                <FormPanel content={content} problems={problems} act={draft.act} />
              )}
            </Suspense>
          </fieldset>
        </section>
        {isPreviewed && (
          <Suspense fallback={<PanelWaiting />}>
            <Preview content={content} isRight={problems.length === 0} />
          </Suspense>
        )}
      </div>
    </div>
  )
}

function PanelWaiting() {
  return (
    <div className={classes.panelWaiting} aria-busy>
      {[50, 100, 98, 96].map(width => (
        <Bar key={width} width={`${width}%`} height={32} />
      ))}
    </div>
  )
}

function without({ preview: _, ...rest }: FormSearch): FormSearch {
  return rest
}
