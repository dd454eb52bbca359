import IconCircleCheck from 'icon:circle-check'
import IconCircleX from 'icon:circle-x'
import type { TestAnswer as Answer } from '#domains/deliveries/contract.ts'
import { duration } from '../../ui/duration.ts'
import { InertText } from '../../ui/inert-text.tsx'
import classes from '../../ui/parts.module.css'

/** The result of a test event: whether it was delivered, how fast, and the response. */
export function TestAnswer({ answer }: { answer: Answer }) {
  const { delivered, response_status: status, response_body: body, error } = answer
  const Icon = delivered ? IconCircleCheck : IconCircleX
  return (
    <div className={classes.answer} data-fine={delivered || undefined} role="status">
      <p className={classes.answerLine}>
        <Icon size={16} aria-hidden />
        <span>
          <b>{delivered ? 'Test delivered.' : 'Test failed.'}</b>{' '}
          {status === null
            ? `No response after ${duration(answer.duration_ms)}.`
            : `HTTP ${status} in ${duration(answer.duration_ms)}.`}
        </span>
      </p>
      {error && <p className={classes.answerError}>{error}</p>}
      {body && <InertText label="Test response" text={body} />}
    </div>
  )
}
