import { Autocomplete, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import IconAlertTriangle from 'icon:alert-triangle'
import { TEMPLATE_NAME_LENGTH_MAX } from '#domains/templates/values.ts'
import { patterns } from '../../paths.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { templateNamesQuery } from './sequences-cache.ts'
import classes from './steps.module.css'
import { templates } from '../templates/store.ts'

/** The initial text of a new template. */
const BEGINNING = 'Hi {{firstName | default: "there"}},\n\n'

type Props = { value: string; fault: string | undefined; set: (name: string) => void }

/** A template by name. It need not exist yet: a warning says so, and nothing is sent until it does. */
export function TemplateInput({ value, fault, set }: Props) {
  const { data } = useQuery(templateNamesQuery)
  const name = value.trim()
  const found = data?.find(each => each.name === name)
  return (
    <div>
      <Autocomplete
        label="Template"
        placeholder="Choose or type a name"
        data={data?.map(each => each.name) ?? []}
        value={value}
        error={fault}
        maxLength={TEMPLATE_NAME_LENGTH_MAX}
        limit={50}
        openOnFocus={false}
        data-first
        onChange={set}
        comboboxProps={{ withinPortal: false }}
        withScrollArea={false}
        classNames={{ options: classes.choices ?? '' }}
      />
      <div className={classes.below}>
        {found ? (
          <Link to={patterns.template} params={{ id: found.id }} search={{}}>
            Open template
          </Link>
        ) : data && name ? (
          <Missing name={name} />
        ) : (
          <Link to={patterns.templates} search={{}}>
            All templates
          </Link>
        )}
      </div>
    </div>
  )
}

function Missing({ name }: { name: string }) {
  const navigate = useNavigate()
  const { busy, submit } = useSubmit(async () => {
    const { id } = await templates.create({ name, subject: '', body: BEGINNING })
    void navigate({ to: patterns.template, params: { id }, search: {} })
  }, "Couldn't create the template")
  return (
    <>
      <span className={classes.warning}>
        <IconAlertTriangle size={14} aria-hidden /> There is no template called {name} yet.
      </span>
      <Button size="xs" variant="default" loading={busy} onClick={submit}>
        Create template {name}
      </Button>
    </>
  )
}
