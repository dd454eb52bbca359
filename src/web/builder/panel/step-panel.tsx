import { Button, Select } from '@mantine/core'
import IconArrowDown from 'icon:arrow-down'
import IconArrowUp from 'icon:arrow-up'
import IconCopy from 'icon:copy'
import IconTrash from 'icon:trash'
import { useState, type ReactNode } from 'react'
import type { Warning } from '#domains/workflows/contract.ts'
import { entryOf } from '../catalog.ts'
import { faultAt, sentence } from '../problems.ts'
import { asRecord, type TreeNode } from '../tree.ts'
import { Branches } from './branches.tsx'
import { ComparisonFields } from './comparisons.tsx'
import { Control } from './control.tsx'
import type { Around, FieldSchema } from './control-props.ts'
import { officeHours } from './hours.tsx'
import textClasses from '../../ui/text.module.css'
import classes from './panel.module.css'

export type StepActs = {
  /** Whether there is a neighbor to swap with. */
  can: { up: boolean; down: boolean }
  move: (way: 'up' | 'down') => void
  duplicate: () => void
  copy: () => void
  wrap: (kind: 'condition' | 'loop') => void
  remove: () => void
}

type Props = {
  node: TreeNode
  path: string
  around: Around
  warnings: readonly Warning[]
  set: (fields: Record<string, unknown>) => void
  acts: StepActs
}

/** The fields of a step, from its schema in the catalog. */
export function StepPanel({ node, path, around, warnings, set, acts }: Props) {
  const entry = entryOf(around.catalog, node)
  const fields = fieldsOf(asRecord(entry?.schema))
  const main = fields.filter(({ name }) => !seldom.includes(name))
  const more = fields.filter(({ name }) => seldom.includes(name))
  const ask = ({ name, schema }: Field) => (
    <Control
      key={name}
      label={schema.title ?? name}
      path={`${path}.${name}`}
      schema={schema}
      value={node[name]}
      set={value => set({ [name]: value })}
      fault={faultAt(around.problems, `${path}.${name}`)}
      node={node}
      around={around}
    />
  )
  const own = around.problems.filter(problem => problem.path === path)
  return (
    // Viewers see everything, read-only.
    <fieldset className={classes.fields} disabled={!around.canWrite}>
      <p className={textClasses.meta}>{entry?.description ?? 'Unknown step type. You can remove it.'}</p>
      <Notices problems={own} warnings={warnings} path={path} />
      <Main node={node} path={path} around={around} set={set} fields={main} ask={ask} />
      <Branches node={node} set={set} />
      {more.length > 0 && (
        <details className={classes.more} open={more.some(({ name }) => node[name] !== undefined)}>
          <summary>More</summary>
          <div>{more.map(ask)}</div>
        </details>
      )}
      {around.canWrite && <Acts acts={acts} />}
    </fieldset>
  )
}

type Field = { name: string; schema: FieldSchema }

/** Rarely used fields. */
const seldom = ['name', 'retry', 'on_error', 'match', 'record']

function fieldsOf(schema: Record<string, unknown> | undefined): Field[] {
  const properties = asRecord(schema?.properties) ?? {}
  return Object.entries(properties).map(([name, own]) => ({
    name,
    schema: (asRecord(own) ?? {}) as FieldSchema,
  }))
}

type MainProps = Pick<Props, 'node' | 'path' | 'around' | 'set'> & {
  fields: Field[]
  ask: (field: Field) => ReactNode
}

function Main({ node, path, around, set, fields, ask }: MainProps) {
  const ways = alternatives[String(node.action ?? node.type)]
  if (node.type === 'condition')
    return (
      <>
        <ComparisonFields
          path={path}
          value={{ field: node.field, op: node.op, value: node.value }}
          around={around}
          set={set}
        />
        {fields.filter(({ name }) => name === 'also').map(ask)}
      </>
    )
  // The wait before an action comes last.
  const isWait = ({ name }: Field) => name === 'delay' && node.type === 'action'
  const ordered = [...fields.filter(field => !isWait(field)), ...fields.filter(isWait)]
  if (!ways) return <>{ordered.map(ask)}</>
  const keys = ways.map(({ key }) => key)
  return (
    <>
      <OneOf
        key={path}
        node={node}
        ways={ways}
        set={set}
        ask={key => fields.filter(({ name }) => name === key).map(ask)}
      />
      {ordered.filter(({ name }) => !keys.includes(name)).map(ask)}
    </>
  )
}

type Alternative = { key: string; label: string; begin?: unknown }

/** Fields of which exactly one is set. */
const alternatives: Partial<Record<string, Alternative[]>> = {
  delay: [
    { key: 'delay', label: 'For a duration', begin: '1d' },
    { key: 'until_field', label: 'Until a date', begin: '' },
    { key: 'window', label: 'Until certain hours', begin: officeHours },
  ],
  loop: [
    { key: 'times', label: 'A set number of times', begin: 3 },
    { key: 'over', label: 'For each item in a list', begin: '' },
  ],
  send_sms: [
    { key: 'message', label: 'Custom message' },
    { key: 'template', label: 'Template' },
  ],
  assign_to_rep: [
    { key: 'member', label: 'One person' },
    { key: 'members', label: 'Several people, round robin', begin: [] },
  ],
}

type OneOfProps = {
  node: TreeNode
  ways: Alternative[]
  set: (fields: Record<string, unknown>) => void
  ask: (key: string) => ReactNode
}

function OneOf({ node, ways, set, ask }: OneOfProps) {
  const [kept, setKept] = useState<string>()
  const given = ways.find(({ key }) => node[key] !== undefined)?.key
  const chosen = given ?? kept ?? ways[0]!.key
  return (
    <>
      <Select
        label={labels[String(node.action ?? node.type)] ?? 'Type'}
        data={ways.map(({ key, label }) => ({ value: key, label }))}
        value={chosen}
        allowDeselect={false}
        comboboxProps={{ shadow: 'md' }}
        onChange={key => {
          const way = ways.find(each => each.key === key)
          if (!way || way.key === chosen) return
          setKept(way.key)
          set({ ...Object.fromEntries(ways.map(({ key }) => [key, undefined])), [way.key]: way.begin })
        }}
      />
      {ask(chosen)}
    </>
  )
}

const labels: Partial<Record<string, string>> = {
  delay: 'Delay type',
  loop: 'Repeat',
  send_sms: 'Content',
  assign_to_rep: 'Assign to',
}

type NoticesProps = { problems: readonly Warning[]; warnings: readonly Warning[]; path: string }

function Notices({ problems, warnings, path }: NoticesProps) {
  const told = warnings.filter(warning => warning.path === path || warning.path.startsWith(`${path}.`))
  return (
    <>
      {problems.length > 0 && (
        <ul className={classes.notice}>
          {problems.map(({ message }) => (
            <li key={message}>{sentence(`This step ${message}`)}</li>
          ))}
        </ul>
      )}
      {told.length > 0 && (
        <ul className={classes.notice} data-tone="warning">
          {told.map(({ path, message }) => (
            <li key={path}>{sentence(message)}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function Acts({ acts }: { acts: StepActs }) {
  const look = { size: 'xs', variant: 'default' } as const
  return (
    <div className={classes.foot}>
      <Button
        {...look}
        leftSection={<IconArrowUp size={14} />}
        disabled={!acts.can.up}
        onClick={() => acts.move('up')}
      >
        Up
      </Button>
      <Button
        {...look}
        leftSection={<IconArrowDown size={14} />}
        disabled={!acts.can.down}
        onClick={() => acts.move('down')}
      >
        Down
      </Button>
      <Button {...look} leftSection={<IconCopy size={14} />} onClick={acts.duplicate}>
        Duplicate
      </Button>
      <Button {...look} onClick={acts.copy}>
        Copy
      </Button>
      <Button {...look} onClick={() => acts.wrap('condition')}>
        Wrap in condition
      </Button>
      <Button {...look} onClick={() => acts.wrap('loop')}>
        Wrap in loop
      </Button>
      <Button
        {...look}
        c="var(--mantine-color-error)"
        leftSection={<IconTrash size={14} />}
        onClick={acts.remove}
      >
        Remove step
      </Button>
    </div>
  )
}
