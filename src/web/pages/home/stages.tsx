import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Home } from '#domains/home/contract.ts'
import { opportunityStages } from '#domains/opportunities/values.ts'
import { paths } from '../../paths.ts'
import { moneyList } from '../../ui/money.ts'
import { stageTone } from '../../ui/stage.tsx'
import { count, inPlainWords } from '../../ui/words.ts'
import { stageName } from '../../records/opportunities/deal-stage.tsx'
import { Panel } from './panel.tsx'
import textClasses from '../../ui/text.module.css'
import toneClasses from '../../ui/tone.module.css'
import classes from './home.module.css'

const STAGES_WAITING = 7

type Columns = Home['funnel']

/** How many leads are in each stage. */
export function Funnel({ columns }: { columns: Columns | undefined }) {
  const stages = columns?.map(({ stage }) => stage) ?? []
  return (
    <Panel title="Leads by stage" rows={STAGES_WAITING}>
      {columns && (
        <ul className={classes.list}>
          {columns.map(column => (
            <li key={column.stage}>
              <Link to={paths.leads} search={{ pipeline_stage: [column.stage] }} className={classes.stage}>
                <StageBar
                  column={column}
                  columns={columns}
                  tone={stageTone(column.stage, stages)}
                  name={inPlainWords(column.stage)}
                  what="lead"
                />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** How many deals are in each stage, and their total amounts. */
export function Deals({ columns }: { columns: Columns | undefined }) {
  return (
    <Panel title="Deals by stage" rows={opportunityStages.length}>
      {columns && (
        <ul className={classes.list}>
          {columns.map(column => (
            <li key={column.stage}>
              <Link to={paths.opportunities} search={{ stage: [column.stage] }} className={classes.stage}>
                <StageBar
                  column={column}
                  columns={columns}
                  tone={dealTone(column.stage)}
                  name={stageName(column.stage)}
                  what="deal"
                  sum={sumOf(column)}
                />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

type BarProps = {
  column: Columns[number]
  columns: Columns
  tone: string
  name: string
  what: 'lead' | 'deal'
  sum?: string
}

/** The longest bar is the fullest stage. The bar is decoration: the number says the same. */
function StageBar({ column, columns, tone, name, what, sum }: BarProps) {
  const most = Math.max(1, ...columns.map(each => each.count))
  return (
    <>
      <span className={textClasses.cut}>{name}</span>
      <span className={classes.track}>
        <span
          className={`${toneClasses.tone} ${classes.bar}`}
          data-tone={tone}
          style={{ width: `${(100 * column.count) / most}%` }}
          aria-hidden
        />
      </span>
      <span className={classes.amount}>
        {count(column.count)}
        <VisuallyHidden> {column.count === 1 ? what : `${what}s`}</VisuallyHidden>
      </span>
      {sum !== undefined && <span className={classes.sum}>{sum}</span>}
    </>
  )
}

function sumOf({ sums }: Columns[number]): string {
  return sums.length === 0 ? '–' : moneyList(sums)
}

function dealTone(stage: string): string {
  return stageTone(stageName(stage), opportunityStages.map(stageName))
}
