import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { EnrolmentReview } from '#domains/enrolments/contract.ts'
import type { Sequence } from '#domains/sequences/contract.ts'
import { FocusBack } from '../../ui/focus-back.ts'
import { Progress } from '../../ui/progress.tsx'
import { count, plural } from '../../ui/words.ts'
import { EnrolFault } from './enrol-fault.tsx'
import { EnrolResult } from './enrol-result.tsx'
import { EnrolReview } from './enrol-review.tsx'
import { EnrolWho } from './enrol-who.tsx'
import { enrolAll, idsOf, reviewAll, type Outcome, type Step, type Who } from './enrolling.ts'
import { takeFocus } from '../../ui/take-focus.ts'
import { SequenceSelect } from './sequence-select.tsx'
import classes from '../../ui/review-dialog.module.css'

type Props = {
  /** The sequence to enrol in; the dialog asks if absent. */
  sequence?: Sequence
  /** The leads to enrol; the dialog asks if absent. */
  who?: Who
  /** A description of those leads. */
  whoInWords?: string
  close: () => void
  /** Called once a lead is enrolled. */
  done?: () => void
}

type Phase =
  | { at: 'choosing' }
  | { at: 'reading' | 'reviewing' | 'enrolling'; done: number; of: number }
  | { at: 'reviewed'; ids: string[]; review: EnrolmentReview }
  | { at: 'done'; outcome: Outcome }
  | { at: 'failed'; error: unknown }

/** Choose leads and a sequence, review the result, then enrol. */
export function EnrolDialog({ sequence: given, who: givenWho, whoInWords, close, done }: Props) {
  const [sequence, setSequence] = useState<Sequence | null>(given ?? null)
  const [who, setWho] = useState<Who | null>(givenWho ?? null)
  const [again, setAgain] = useState(false)
  const [phase, setPhase] = useState<Phase>({ at: 'choosing' })
  const running = useRef<AbortController | null>(null)
  // Closing the dialog cancels it.
  useEffect(() => () => running.current?.abort(), [])

  function begin(at: 'reading' | 'reviewing' | 'enrolling', of: number): Step {
    running.current ??= new AbortController()
    setPhase({ at, done: 0, of })
    return { signal: running.current.signal, tell: done => setPhase({ at, done, of }) }
  }

  async function review(again: boolean, known?: string[]) {
    if (!sequence || !who) return
    running.current = new AbortController()
    const { signal } = running.current
    try {
      const ids = known ?? (await idsOf(who, begin('reading', 0)))
      const result = await reviewAll(sequence.id, ids, again, begin('reviewing', ids.length))
      setPhase({ at: 'reviewed', ids, review: result })
    } catch (error) {
      if (!signal.aborted) setPhase({ at: 'failed', error })
    }
  }

  async function enrol(ids: string[]) {
    if (!sequence) return
    running.current = new AbortController()
    const outcome = await enrolAll(sequence.id, ids, again, begin('enrolling', ids.length))
    if (outcome.fault !== undefined && outcome.enrolled === 0)
      return setPhase({ at: 'failed', error: outcome.fault })
    if (outcome.enrolled > 0) done?.()
    setPhase({ at: 'done', outcome })
  }

  const isBusy = phase.at === 'enrolling'
  return (
    <>
      <FocusBack />
      <Modal
        opened
        onClose={close}
        title={
          sequence && (given || phase.at !== 'choosing')
            ? `Enrol leads in ${sequence.name}`
            : 'Enrol in a sequence'
        }
        size={560}
        closeOnClickOutside={!isBusy}
      >
        {phase.at === 'choosing' && (
          <Stack gap="md">
            {whoInWords && <Text>{whoInWords}</Text>}
            {!given && <SequenceSelect chosen={sequence} choose={setSequence} />}
            {!givenWho && <EnrolWho who={who} choose={setWho} label="Lead to enrol" />}
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button disabled={!sequence || !who} onClick={() => void review(again)}>
                Review
              </Button>
            </Group>
          </Stack>
        )}
        {(phase.at === 'reading' || phase.at === 'reviewing' || phase.at === 'enrolling') && (
          <Working phase={phase} cancel={() => running.current?.abort()} close={close} />
        )}
        {phase.at === 'reviewed' && sequence && (
          <EnrolReview
            sequence={sequence}
            review={phase.review}
            again={again}
            setAgain={next => {
              setAgain(next)
              void review(next, phase.ids)
            }}
            enrol={() => void enrol(phase.review.will_enrol)}
            close={close}
          />
        )}
        {phase.at === 'done' && sequence && (
          <EnrolResult sequence={sequence} outcome={phase.outcome} close={close} />
        )}
        {phase.at === 'failed' && (
          <EnrolFault
            error={phase.error}
            sequence={sequence}
            back={() => setPhase({ at: 'choosing' })}
            close={close}
          />
        )}
      </Modal>
    </>
  )
}

type WorkingProps = {
  phase: { at: 'reading' | 'reviewing' | 'enrolling'; done: number; of: number }
  cancel: () => void
  close: () => void
}

function Working({ phase: { at, done, of }, cancel, close }: WorkingProps) {
  const [cancelled, setCancelled] = useState(false)
  const words =
    at === 'reading'
      ? `Finding matching leads: ${count(done)} so far`
      : at === 'reviewing'
        ? `Checking ${count(done)} of ${plural(of, 'lead')}`
        : `Enrolled ${count(done)} of ${plural(of, 'lead')}`
  return (
    <Stack gap="md">
      <div className={classes.progress} role="status">
        <span>{words}</span>
        {at !== 'reading' && <Progress label={words} done={done} of={of} />}
      </div>
      <Group justify="flex-end">
        <Button
          variant="default"
          disabled={cancelled}
          ref={takeFocus}
          onClick={() => {
            cancel()
            setCancelled(true)
            // Enrolling finishes its current block first; checking stops right away.
            if (at !== 'enrolling') close()
          }}
        >
          {cancelled ? 'Stopping …' : 'Cancel'}
        </Button>
      </Group>
    </Stack>
  )
}
