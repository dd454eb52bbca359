import { ActionIcon, Button, Select, TextInput } from '@mantine/core'
import IconArrowDown from 'icon:arrow-down'
import IconArrowUp from 'icon:arrow-up'
import IconPlus from 'icon:plus'
import IconX from 'icon:x'
import { PATHS_MAX } from '#domains/workflows/values.ts'
import { useKeepFocus } from '../../ui/keep-focus.ts'
import { moved } from '../../ui/moved.ts'
import { asNodes, pathsOf, type SplitPath } from '../tree.ts'
import { faultAt } from '../problems.ts'
import type { ControlProps } from './control-props.ts'
import textClasses from '../../ui/text.module.css'
import classes from './panel.module.css'

/** The paths of a split: names, order and percentages. */
export function Paths({ label, path, node, set, around }: ControlProps) {
  const keepFocus = useKeepFocus<HTMLDivElement>()
  const paths = pathsOf(node)
  // Names may repeat: the index identifies a path.
  const placed = paths.map((one, at) => ({ one, at }))
  const isDrawn = paths.some(({ percent }) => percent !== undefined)
  const put = (next: SplitPath[]) => set(next)
  const fault = around.problems.find(problem => problem.path === path)?.message
  const left = 100 - paths.reduce((sum, { percent }) => sum + (Number(percent) || 0), 0)
  return (
    <fieldset className={classes.group}>
      <legend>{label}</legend>
      <Select
        label="Paths to run"
        data={[
          { value: 'one', label: 'One, by percentage' },
          { value: 'all', label: 'All in parallel' },
        ]}
        value={isDrawn ? 'one' : 'all'}
        allowDeselect={false}
        comboboxProps={{ shadow: 'md' }}
        onChange={way => put(way === 'one' ? evenly(paths) : paths.map(({ percent: _, ...rest }) => rest))}
      />
      <div {...keepFocus} className={classes.lines}>
        {placed.map(({ one, at }) => {
          const called = String(one.name || at + 1)
          const own = (change: SplitPath) => put(paths.with(at, { ...one, ...change }))
          return (
            <div key={at} className={classes.pathLine}>
              <TextInput
                aria-label={`Name of path ${at + 1}`}
                value={typeof one.name === 'string' ? one.name : ''}
                error={faultAt(around.problems, `${path}[${at}].name`)}
                maxLength={60}
                autoComplete="off"
                onChange={event => own({ name: event.currentTarget.value })}
              />
              {isDrawn && (
                <TextInput
                  aria-label={`Percent of path ${called}`}
                  inputMode="decimal"
                  rightSection={<span className={textClasses.meta}>%</span>}
                  value={one.percent === undefined ? '' : String(one.percent)}
                  error={faultAt(around.problems, `${path}[${at}].percent`)}
                  maxLength={5}
                  autoComplete="off"
                  onChange={event => own({ percent: percentIn(event.currentTarget.value) })}
                />
              )}
              {around.canWrite && (
                <span className={classes.acts}>
                  <ActionIcon
                    size="sm"
                    aria-label={`Move path ${called} left`}
                    data-focus={`${at} up`}
                    disabled={at === 0}
                    onClick={() => put(moved(paths, at, at - 1))}
                  >
                    <IconArrowUp size={14} />
                  </ActionIcon>
                  <ActionIcon
                    size="sm"
                    aria-label={`Move path ${called} right`}
                    data-focus={`${at} down`}
                    disabled={at === paths.length - 1}
                    onClick={() => put(moved(paths, at, at + 1))}
                  >
                    <IconArrowDown size={14} />
                  </ActionIcon>
                  <ActionIcon
                    size="sm"
                    aria-label={`Remove path ${called}${asNodes(one.nodes).length > 0 ? ' and its steps' : ''}`}
                    disabled={paths.length === 1}
                    onClick={() => put(paths.toSpliced(at, 1))}
                  >
                    <IconX size={14} />
                  </ActionIcon>
                </span>
              )}
            </div>
          )
        })}
      </div>
      {isDrawn && left > 0 && <p className={textClasses.meta}>{`${left}% skip all paths and continue.`}</p>}
      {fault && <p className={classes.fault}>{`The paths ${fault}.`}</p>}
      {around.canWrite && paths.length < PATHS_MAX && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() =>
            put([
              ...paths,
              {
                name: String.fromCharCode(65 + (paths.length % 26)),
                ...(isDrawn && { percent: Math.max(0, left) }),
                nodes: [],
              },
            ])
          }
        >
          Add path
        </Button>
      )}
    </fieldset>
  )
}

function evenly(paths: SplitPath[]): SplitPath[] {
  const share = Math.floor(100 / paths.length)
  return paths.map((path, at) => ({ ...path, percent: at === 0 ? 100 - share * (paths.length - 1) : share }))
}

function percentIn(typed: string): number | string {
  return /^\d+(?:\.\d+)?$/.test(typed) ? Number(typed) : typed
}
