import IconCircleCheck from 'icon:circle-check'
import IconCircleX from 'icon:circle-x'
import type { TestAnswer as Answer } from '#domains/deliveries/contract.ts'
import { duration } from '../../ui/duration.ts'
import { InertText } from '../../ui/inert-text.tsx'
import classes from '../../ui/parts.module.css'

/** What came of a test event: whether it arrived, how fast, and what the other side said. */
export function TestAnswer({ answer }: { answer: Answer }) {
  const { delivered, response_status: status, response_body: body, error } = answer
  const Icon = delivered ? IconCircleCheck : IconCircleX
  return (
    <div className={classes.answer} data-fine={delivered || undefined} role="status">
      <p className={classes.answerLine}>
        <Icon size={16} aria-hidden />
        <span>
          <b>{delivered ? 'It arrived.' : 'It did not arrive.'}</b>{' '}
          {status === null
            ? `There was no answer after ${duration(answer.duration_ms)}.`
            : `The answer was ${status}, after ${duration(answer.duration_ms)}.`}
        </span>
      </p>
      {error && <p className={classes.answerError}>{error}</p>}
      {body && <InertText label="The answer to the test" text={body} />}
    </div>
  )
}
