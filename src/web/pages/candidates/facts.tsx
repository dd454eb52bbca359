import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Candidate, Fact } from '#domains/candidates/contract.ts'
import { Panel } from '../../ui/panel.tsx'
import { Bar, Empty } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { count } from '../../ui/words.ts'
import { Outside } from '../../records/candidates/about.tsx'
import {
  adviceWords,
  factGroups,
  isUnderWay,
  kindWords,
  keyOf,
  linkOf,
  pageName,
  shortAddress,
  webAddress,
} from '../../records/candidates/words.ts'
import classes from '../../records/candidates/candidate-page.module.css'
import textClasses from '../../ui/text.module.css'

/** Facts shown per group until expanded. */
const SHOWN_MAX = 8

/** All facts in groups, each with its source page and date. */
export function Facts({ candidate }: { candidate: Candidate }) {
  const { facts } = candidate.data
  if (facts.length === 0) return <NoFacts candidate={candidate} />
  return factGroups.map(([title, kinds]) => {
    const own = kinds.flatMap(kind => facts.filter(fact => fact.kind === kind))
    return own.length > 0 && <Group key={title} title={title} facts={own} named={kinds.length > 1} />
  })
}

function Group({ title, facts, named }: { title: string; facts: Fact[]; named: boolean }) {
  const [all, setAll] = useState(false)
  const shown = all ? facts : facts.slice(0, SHOWN_MAX)
  return (
    <Panel title={title} beside={facts.length > 1 && count(facts.length)}>
      <ul className={classes.facts}>
        {shown.map(fact => (
          <Line key={keyOf(fact)} fact={fact} named={named} />
        ))}
      </ul>
      {facts.length > shown.length && (
        <div className={classes.more}>
          <Button size="xs" variant="subtle" color="gray" onClick={() => setAll(true)}>
            Show {count(facts.length - shown.length)} more
          </Button>
        </div>
      )}
    </Panel>
  )
}

function Line({ fact, named }: { fact: Fact; named: boolean }) {
  const label = fact.label ?? (named ? kindWords[fact.kind] : '')
  const link = linkOf(fact)
  return (
    <li className={classes.fact} data-named={label !== '' || undefined}>
      {label !== '' && <span className={textClasses.dim}>{label}</span>}
      <span className={classes.value}>
        {link === undefined ? (
          fact.value
        ) : fact.kind === 'email' || fact.kind === 'phone' ? (
          <a href={link}>{fact.value}</a>
        ) : (
          <Outside href={link}>{shortAddress(fact.value)}</Outside>
        )}
      </span>
      <span className={classes.source}>
        <Outside href={webAddress(fact.url)}>{pageName(fact.url)}</Outside>
        <Time at={fact.at} />
      </span>
    </li>
  )
}

function NoFacts({ candidate }: { candidate: Candidate }) {
  const { status } = candidate
  if (isUnderWay(candidate))
    return (
      <Panel title={status === 'CRAWLING' ? 'Crawling site' : 'Crawl queued'}>
        <div className={classes.waiting} role="status" aria-label="Facts appear here automatically">
          <Bar width="62%" />
          <Bar width="48%" />
          <Bar width="55%" />
        </div>
      </Panel>
    )
  return (
    <Empty title="No facts" compact>
      {adviceWords[status]}
    </Empty>
  )
}
