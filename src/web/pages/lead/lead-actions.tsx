import { ActionIcon, Button, Tooltip } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { ReactNode } from 'react'
import { count } from '../../ui/words.ts'
import type { Neighbour, Neighbours } from './neighbours.ts'
import classes from './lead-page.module.css'

type Props = {
  neighbours: Neighbours
  open: (neighbour: Neighbour | undefined) => void
  /** Absent for those who only read. */
  trash: (() => void) | undefined
}

/** Up and down in the list the lead was opened from, and away with it. */
export function LeadActions({ neighbours, open, trash }: Props) {
  return (
    <>
      {neighbours.place && (
        <>
          <span className={classes.place}>
            {count(neighbours.place)} of {count(neighbours.count ?? 0)}
          </span>
          <ActionIcon.Group>
            <Step
              label="Previous lead"
              keys="K"
              go={() => open(neighbours.previous)}
              off={!neighbours.previous}
            >
              <IconChevronUp size={16} />
            </Step>
            <Step label="Next lead" keys="J" go={() => open(neighbours.next)} off={!neighbours.next}>
              <IconChevronDown size={16} />
            </Step>
          </ActionIcon.Group>
        </>
      )}
      {trash && (
        <>
          <Button variant="default" leftSection={<IconTrash size={15} />} onClick={trash} visibleFrom="sm">
            Move to trash
          </Button>
          <ActionIcon variant="default" aria-label="Move to trash" onClick={trash} hiddenFrom="sm">
            <IconTrash size={16} />
          </ActionIcon>
        </>
      )}
    </>
  )
}

type StepProps = { label: string; keys: string; go: () => void; off: boolean; children: ReactNode }

function Step({ label, keys, go, off, children }: StepProps) {
  return (
    <Tooltip label={`${label} (${keys})`}>
      <ActionIcon variant="default" aria-label={label} aria-keyshortcuts={keys} disabled={off} onClick={go}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
