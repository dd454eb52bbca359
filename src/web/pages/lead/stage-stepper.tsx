import type { Lead } from '#domains/leads/contract.ts'
import { stageTone } from '../../ui/stage.tsx'
import { inPlainWords } from '../../ui/words.ts'
import { moveToStage } from './move-stage.ts'
import classes from '../../ui/stepper.module.css'

type Props = { lead: Lead; stages: readonly string[]; canWrite: boolean }

/** The pipeline in one line: the current stage, and one click to move to another. */
export function StageStepper({ lead, stages, canWrite }: Props) {
  const at = stages.indexOf(lead.pipeline_stage)
  return (
    <div className={classes.stepper} role="group" aria-label="Pipeline stage">
      {stages.map((stage, index) => (
        <button
          key={stage}
          type="button"
          className={classes.step}
          aria-current={index === at ? 'step' : undefined}
          data-passed={index < at || undefined}
          data-tone={index === at ? stageTone(stage, stages) : undefined}
          disabled={!canWrite && index !== at}
          onClick={() => {
            if (index !== at && canWrite) moveToStage(lead, stage)
          }}
        >
          {inPlainWords(stage)}
        </button>
      ))}
    </div>
  )
}
