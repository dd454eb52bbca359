import { ActionIcon } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import IconPencil from 'icon:pencil'
import IconTrash from 'icon:trash'
import { useState } from 'react'
import type { LeadSettings } from '#domains/leads/contract.ts'
import { PIPELINE_STAGES_MAX } from '#domains/leads/values.ts'
import { paths } from '../../paths.ts'
import { moved } from '../../ui/moved.ts'
import { Sortable } from '../../ui/sortable.tsx'
import { Stage } from '../../ui/stage.tsx'
import { inPlainWords } from '../../ui/words.ts'
import { AddStage, RenameStage } from './stage-forms.tsx'
import { changeSettings } from '../../records/fields/settings-writes.ts'
import classes from './lead-settings.module.css'

type Props = { settings: LeadSettings; editable: boolean }

export function StageList({ settings, editable }: Props) {
  const stages = settings.pipeline_stages
  const [renaming, setRenaming] = useState<string | null>(null)
  const set = (pipeline_stages: string[], say: string) => changeSettings(settings, { pipeline_stages }, say)
  return (
    <>
      <Sortable
        label="Pipeline stages"
        items={stages}
        nameOf={inPlainWords}
        keyOf={stage => stage}
        disabled={!editable}
        move={(from, to) => void set(moved(stages, from, to), `Moved ${inPlainWords(stages[from] ?? '')}`)}
      >
        {stage =>
          renaming === stage ? (
            <RenameStage settings={settings} stage={stage} close={() => setRenaming(null)} />
          ) : (
            <>
              <span className={classes.name}>
                <Stage stage={stage} stages={stages} />
              </span>
              <Link
                to={paths.leads}
                search={{ pipeline_stage: [stage] }}
                className={classes.link}
                aria-label={`Show leads in ${inPlainWords(stage)}`}
              >
                Show leads
              </Link>
              {editable && (
                <>
                  <ActionIcon
                    size="sm"
                    aria-label={`Rename ${inPlainWords(stage)}`}
                    onClick={() => setRenaming(stage)}
                  >
                    <IconPencil size={14} />
                  </ActionIcon>
                  <ActionIcon
                    size="sm"
                    aria-label={`Delete ${inPlainWords(stage)}`}
                    disabled={stages.length === 1}
                    onClick={() =>
                      void set(
                        stages.filter(each => each !== stage),
                        `Deleted ${inPlainWords(stage)}`,
                      )
                    }
                  >
                    <IconTrash size={14} />
                  </ActionIcon>
                </>
              )}
            </>
          )
        }
      </Sortable>
      {editable && stages.length < PIPELINE_STAGES_MAX && (
        <AddStage taken={stages} add={stage => set([...stages, stage], `Added ${inPlainWords(stage)}`)} />
      )}
    </>
  )
}
