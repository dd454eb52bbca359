import { Link } from '@tanstack/react-router'
import type { SequenceNumbers } from '#domains/enrolments/contract.ts'
import { patterns } from '../../paths.ts'
import { count } from '../../ui/words.ts'
import { allParts, ofHowMany, told } from './numbers.ts'
import { ANY_HOLD, type SequenceSearch } from '../../records/sequences/search.ts'
import stripClasses from '../../ui/strip.module.css'

type Props = { id: string; numbers: SequenceNumbers; search?: SequenceSearch }

/** Sequence metrics; each links to the leads it counts. */
export function NumbersStrip({ id, numbers, search }: Props) {
  return (
    <ul className={stripClasses.strip} aria-label="Performance">
      {linesOf(numbers).map(({ text, number, to }) => (
        <li key={text}>
          <Link
            to={patterns.sequence}
            params={{ id }}
            search={to}
            activeProps={{}}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={search && isShown(search, to) ? 'true' : undefined}
            data-none={number === 0 || undefined}
          >
            {text}
          </Link>
        </li>
      ))}
    </ul>
  )
}

type Line = { text: string; number: number; to: SequenceSearch }

function linesOf(numbers: SequenceNumbers): Line[] {
  const { enrolled, active, held, sent, bounced, finished } = numbers
  const part = (number: number, of: number, word: string, to: SequenceSearch): Line => ({
    text: `${count(number)} of ${count(of)} ${word}`,
    number,
    to: { tab: 'leads', ...to },
  })
  const lines: Line[] = [
    { text: ofHowMany('enrolled', numbers), number: enrolled, to: { tab: 'leads' } },
    { text: ofHowMany('active', numbers), number: active, to: { tab: 'leads', active: ['true'] } },
  ]
  if (held > 0) lines.push(part(held, active, 'held', { held: [ANY_HOLD] }))
  for (const reached of told(allParts, numbers))
    lines.push({
      text: ofHowMany(reached, numbers),
      number: numbers[reached],
      to: { tab: 'leads', reached: [reached] },
    })
  if (sent > 0) lines.push(part(bounced, sent, 'bounced', { stop_reason: ['bounced'] }))
  lines.push(part(finished, enrolled, 'finished', { stop_reason: ['finished'] }))
  return lines
}

function isShown({ enrolment: _, ...search }: SequenceSearch, to: SequenceSearch): boolean {
  return JSON.stringify(search) === JSON.stringify(to)
}
