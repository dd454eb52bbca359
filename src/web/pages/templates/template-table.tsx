import { ActionIcon, Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import IconArrowDown from 'icon:arrow-down'
import IconArrowUp from 'icon:arrow-up'
import IconDots from 'icon:dots'
import type { ReactNode } from 'react'
import type { Template } from '#domains/templates/contract.ts'
import { patterns } from '../../paths.ts'
import { ButtonMenu } from '../../ui/menu.tsx'
import { Time } from '../../ui/time.tsx'
import { toastFault } from '../../ui/toast.ts'
import { DEFAULT_SORT, type TemplateSort, type TemplatesSearch } from '../../records/templates/search.ts'
import { duplicateTemplate } from '../../records/templates/template-writes.ts'
import pageClasses from '../../ui/page.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './templates-page.module.css'
import table from '../../ui/table.module.css'
import { templates } from '../../records/templates/store.ts'

type Props = {
  rows: Template[]
  search: TemplatesSearch
  show: (search: TemplatesSearch) => void
  more: ReactNode
}

export function TemplateTable({ rows, search, show, more }: Props) {
  const { trashed } = search
  return (
    // A region that scrolls must be reachable by keyboard.
    <div className={pageClasses.list} role="region" aria-label="Templates" tabIndex={0}>
      <div className={table.wrap}>
        <table className={table.table}>
          <thead>
            <tr>
              <Head label="Name" first="name" second="-name" search={search} show={show} />
              <th scope="col">Subject</th>
              <Head label="Created" first="-created_at" second="created_at" search={search} show={show} />
              <Head label="Updated" first="-updated_at" second="updated_at" search={search} show={show} />
              <td />
            </tr>
          </thead>
          <tbody>
            {rows.map(template => (
              <tr key={template.id}>
                <td className={table.name}>
                  {trashed ? (
                    template.name
                  ) : (
                    <Link to={patterns.template} params={{ id: template.id }} search={{}}>
                      {template.name}
                    </Link>
                  )}
                </td>
                <td className={classes.subject}>
                  {template.subject || <span className={textClasses.dim}>Reply to the previous email</span>}
                </td>
                <td className={table.when}>
                  <Time at={template.created_at} />
                </td>
                <td className={table.when}>
                  <Time at={template.updated_at} />
                </td>
                <td className={table.right}>
                  {trashed ? (
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`Restore ${template.name}`}
                      onClick={() => void templates.restore(template.id)}
                    >
                      Restore
                    </Button>
                  ) : (
                    <More template={template} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more}
    </div>
  )
}

type HeadProps = Pick<Props, 'search' | 'show'> & { label: string; first: TemplateSort; second: TemplateSort }

/** A click sorts by it, another reverses the order. The trash is always sorted by deletion time. */
function Head({ label, first, second, search, show }: HeadProps) {
  const now = search.sort ?? DEFAULT_SORT
  const isUp = now === first || now === second ? !now.startsWith('-') : undefined
  if (search.trashed) return <th scope="col">{label}</th>
  const { sort: _sort, ...rest } = search
  const next = now === first ? second : first
  return (
    <th scope="col" aria-sort={isUp === undefined ? 'none' : isUp ? 'ascending' : 'descending'}>
      <button
        type="button"
        className={classes.sort}
        onClick={() => show(next === DEFAULT_SORT ? rest : { ...rest, sort: next })}
      >
        {label}
        {isUp === true && <IconArrowUp size={14} aria-hidden />}
        {isUp === false && <IconArrowDown size={14} aria-hidden />}
      </button>
    </th>
  )
}

function More({ template }: { template: Template }) {
  const navigate = useNavigate()
  async function duplicate() {
    try {
      const { id } = await duplicateTemplate(template)
      void navigate({ to: patterns.template, params: { id }, search: {} })
    } catch (error) {
      toastFault(error, "Couldn't duplicate")
    }
  }
  return (
    <ButtonMenu
      button={
        <ActionIcon size="sm" aria-label={`More actions for ${template.name}`}>
          <IconDots size={16} />
        </ActionIcon>
      }
      items={[
        { label: 'Duplicate', run: () => void duplicate() },
        'divider',
        { label: 'Move to trash', danger: true, run: () => void templates.trash(template) },
      ]}
    />
  )
}
