import { Button, Group, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Enrolment, Icebreaker } from '#domains/enrolments/contract.ts'
import type { Step } from '#domains/sequences/contract.ts'
import { inWords } from '../../problem.ts'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { plural } from '../../ui/words.ts'
import { Part } from '../../ui/drawer.tsx'
import { approveIcebreaker, writeIcebreakers } from '../../records/enrolments/enrolment-writes.ts'
import { icebreakersQuery } from '../../records/sequences/sequences-cache.ts'
import { stepTitle } from '../../records/sequences/words.ts'
import classes from '../../records/sequences/enrolments.module.css'
import textClasses from '../../ui/text.module.css'
import rowsClasses from '../../ui/rows.module.css'

const TEXT_LENGTH_MAX = 1_000

type Props = { enrolment: Enrolment; steps: readonly Step[] }

/** The icebreakers written for the lead, to approve as they are or edited. */
export function Icebreakers({ enrolment, steps }: Props) {
  const { data } = useQuery(icebreakersQuery(enrolment.id))
  const wanted = steps.filter(step => step.ai_personalization).length
  if (!data || (wanted === 0 && data.length === 0)) return null
  return (
    <Part title="Icebreakers">
      {data.length > 0 && (
        <div className={rowsClasses.rows}>
          {data.map(each => (
            <One
              key={`${each.step_index} ${each.text}`}
              icebreaker={each}
              step={steps[each.step_index]}
              isOver={Boolean(enrolment.ended_at) || each.step_index < enrolment.step_index}
            />
          ))}
        </div>
      )}
      {data.length < wanted && !enrolment.ended_at && (
        <Group gap="sm">
          <p className={textClasses.dim}>
            {plural(wanted - data.length, 'icebreaker is', 'icebreakers are')} not written yet.
          </p>
          <Button size="xs" variant="default" onClick={() => void writeIcebreakers(enrolment.id)}>
            Write now
          </Button>
        </Group>
      )}
    </Part>
  )
}

type OneProps = { icebreaker: Icebreaker; step: Step | undefined; isOver: boolean }

function One({ icebreaker, step, isOver }: OneProps) {
  const {
    enrolment_id,
    step_index,
    text: written,
    prompt,
    model,
    fell_back,
    reviewed_at,
    reviewed_by,
  } = icebreaker
  const [text, setText] = useState(written)
  const [fault, setFault] = useState<string>()

  async function approve() {
    await approveIcebreaker(enrolment_id, step_index, text.trim())
    toast('Approved')
  }
  const { busy, submit } = useSubmit(approve, error => setFault(inWords(error)))

  return (
    <div className={classes.icebreaker}>
      <h4>
        Step {step_index + 1}
        {step && ` · ${stepTitle(step)}`}
      </h4>
      {isOver ? (
        <p>{written}</p>
      ) : (
        <Textarea
          aria-label={`Icebreaker for step ${step_index + 1}`}
          value={text}
          error={fault}
          rows={3}
          maxLength={TEXT_LENGTH_MAX}
          onChange={event => {
            setText(event.currentTarget.value)
            setFault(undefined)
          }}
        />
      )}
      {fell_back && <p className={textClasses.warn}>{fell_back}</p>}
      {reviewed_at && (
        <p className={textClasses.dim}>
          Approved <Time at={reviewed_at} />
          {reviewed_by && ` by ${reviewed_by}`}
        </p>
      )}
      {!isOver && (!reviewed_at || text.trim() !== written) && (
        <Group gap="sm">
          <Button size="xs" loading={busy} onClick={submit}>
            {text.trim() === written ? 'Approve' : 'Approve with changes'}
          </Button>
        </Group>
      )}
      <details className={classes.prompt}>
        <summary>Model and prompt</summary>
        <pre>
          {model}
          {'\n\n'}
          {prompt}
        </pre>
      </details>
    </div>
  )
}
