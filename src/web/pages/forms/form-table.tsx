import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import IconExternalLink from 'icon:external-link'
import type { ReactNode } from 'react'
import type { FormWithCounts } from '#domains/forms/contract.ts'
import { patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { Time } from '../../ui/time.tsx'
import { count } from '../../ui/words.ts'
import { CopyIcon } from '../../ui/copy-line.tsx'
import { FormStatus } from './form-status.tsx'
import { hostedAddress, hostedPath } from './hosted.ts'
import pageClasses from '../../ui/page.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './forms-page.module.css'
import table from '../../ui/table.module.css'
import { forms } from '../../records/forms/store.ts'

type Props = {
  forms: FormWithCounts[]
  trashed: boolean
  more: ReactNode
}

export function FormTable({ forms, trashed, more }: Props) {
  return (
    // A region that scrolls must be reachable by keyboard.
    <div className={pageClasses.list} role="region" aria-label="Forms" tabIndex={0}>
      <div className={table.wrap}>
        <table className={table.table} data-cards>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">State</th>
              {!trashed && <th scope="col">URL</th>}
              <th scope="col" className={table.right}>
                Received
              </th>
              <th scope="col" className={table.right}>
                In quarantine
              </th>
              <th scope="col">Last submission</th>
              {trashed && <th scope="col" aria-label="Actions" />}
            </tr>
          </thead>
          <tbody>
            {forms.map(form =>
              trashed ? <Trashed key={form.id} form={form} /> : <Row key={form.id} form={form} />,
            )}
          </tbody>
        </table>
      </div>
      {more}
    </div>
  )
}

function Row({ form }: { form: FormWithCounts }) {
  const { id, name, submissions } = form
  return (
    <tr>
      <td className={table.name}>
        <Link to={patterns.form} params={{ id }} search={{}}>
          {name}
        </Link>
      </td>
      <td className={classes.state} data-heading="State">
        <FormStatus form={form} />
      </td>
      <td data-heading="URL">
        <Address form={form} />
      </td>
      <td className={table.right} data-heading="Received">
        <Link to={patterns.form} params={{ id }} search={{ tab: 'submissions', status: 'RECEIVED' }}>
          {count(submissions.received)}
        </Link>
      </td>
      <td className={table.right} data-heading="In quarantine">
        {submissions.quarantined === 0 ? (
          <span className={textClasses.dim}>0</span>
        ) : (
          <Link to={patterns.form} params={{ id }} search={{ tab: 'submissions', status: 'QUARANTINED' }}>
            {count(submissions.quarantined)}
          </Link>
        )}
      </td>
      <td className={table.when} data-heading="Last submission">
        <Last form={form} />
      </td>
    </tr>
  )
}

function Trashed({ form }: { form: FormWithCounts }) {
  const { id, name, submissions } = form
  const canWrite = useCan('forms:write')
  return (
    <tr>
      <td className={table.name}>{name}</td>
      <td className={classes.state} data-heading="State">
        <FormStatus form={form} />
      </td>
      <td className={table.right} data-heading="Received">
        <span>{count(submissions.received)}</span>
      </td>
      <td className={table.right} data-heading="In quarantine">
        <span>{count(submissions.quarantined)}</span>
      </td>
      <td className={table.when} data-heading="Last submission">
        <Last form={form} />
      </td>
      <td className={table.right}>
        {canWrite && (
          <Button
            size="xs"
            variant="default"
            aria-label={`Restore ${name}`}
            onClick={() => void forms.restore(id)}
          >
            Restore
          </Button>
        )}
      </td>
    </tr>
  )
}

function Last({ form: { submissions } }: { form: FormWithCounts }) {
  return submissions.last_at ? <Time at={submissions.last_at} /> : <span>None yet</span>
}

function Address({ form: { name, slug, published } }: { form: FormWithCounts }) {
  return (
    <span className={classes.address}>
      <code>{hostedPath(slug)}</code>
      <CopyIcon what={`URL of ${name}`} value={hostedAddress(slug)} />
      {published && (
        <Tooltip label="Open">
          <ActionIcon
            component="a"
            size="sm"
            href={hostedPath(slug)}
            target="_blank"
            rel="noreferrer"
            aria-label={`Open page of ${name}`}
          >
            <IconExternalLink size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </span>
  )
}
