import { useState } from 'react'
import type { Opportunity } from '#domains/opportunities/contract.ts'
import { isClosed, opportunityStages, type OpportunityStage } from '#domains/opportunities/values.ts'
import { useIsAtLeast } from '../../queries.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { stageTone } from '../../ui/stage.tsx'
import { stageName } from '../../records/opportunities/deal-stage.tsx'
import classes from '../../ui/stepper.module.css'
import { setStage } from '../../records/opportunities/store.ts'

const named = opportunityStages.map(stageName)

type Props = { opportunity: Opportunity; canWrite: boolean }

/** The current stage, and one click to move to another. Only admins can reopen a closed deal. */
export function OpportunityStages({ opportunity, canWrite }: Props) {
  const isAdmin = useIsAtLeast('ADMIN')
  const [reopening, setReopening] = useState<OpportunityStage | null>(null)
  const closed = isClosed(opportunity.stage)
  const canMove = canWrite && (!closed || isAdmin)
  const at = opportunityStages.indexOf(opportunity.stage)
  const { name } = opportunity
  function choose(stage: OpportunityStage) {
    if (stage === opportunity.stage || !canMove) return
    if (closed) setReopening(stage)
    else void setStage(opportunity, stage, isAdmin)
  }
  return (
    <>
      <div
        className={classes.stepper}
        role="group"
        aria-label="Stage"
        title={canWrite && !canMove ? 'It is closed. Only admins can reopen it.' : undefined}
      >
        {opportunityStages.map((stage, index) => (
          <button
            key={stage}
            type="button"
            className={classes.step}
            aria-current={index === at ? 'step' : undefined}
            data-passed={(index < at && opportunity.stage !== 'closed_lost') || undefined}
            data-tone={index === at ? stageTone(stageName(stage), named) : undefined}
            disabled={!canMove && index !== at}
            onClick={() => choose(stage)}
          >
            {stageName(stage)}
          </button>
        ))}
      </div>
      {reopening && (
        <Confirm
          title={`Reopen ${name}?`}
          verb={`Reopen ${name}`}
          act={() => setStage(opportunity, reopening, isAdmin)}
          close={() => setReopening(null)}
        >
          {`It is ${stageName(opportunity.stage).toLowerCase()}. Reopening moves it to ${stageName(reopening)}.`}
        </Confirm>
      )}
    </>
  )
}
