import { Kbd, Modal, Title } from '@mantine/core'
import { close, opened } from '../ui/opened.ts'
import { usePlaces } from './go.ts'
import classes from './shortcuts.module.css'

type Line = [keys: string, what: string]

const anywhere: Line[] = [
  ['Ctrl K', 'Search and commands'],
  ['/', 'Search in this page'],
  ['N', 'New lead'],
  ['Ctrl Z', 'Undo the last change'],
  ['?', 'This sheet'],
]

const table: Line[] = [
  ['↑ ↓ ← →', 'Move from cell to cell'],
  ['Enter', 'Edit the cell, or open the lead from its name'],
  ['F2', 'Edit the cell, names too'],
  ['Esc', 'Leave the edit without saving; clear the selection'],
  ['Tab', 'Save and go to the next cell'],
  ['Delete', 'Empty the cell'],
  ['O', 'Open the lead'],
  ['Space', 'Select the row'],
  ['Shift ↑ ↓', 'Select several rows'],
  ['Ctrl A', 'Select all that match'],
  ['Ctrl Home', 'First row'],
  ['Ctrl End', 'Last row'],
  ['Ctrl C', 'Copy the cell'],
]

const header: Line[] = [
  ['Enter', 'Sort by the column'],
  ['Shift ← →', 'Narrower, wider'],
  ['Alt ← →', 'Move the column'],
]

const lead: Line[] = [
  ['J', 'Next lead of the list'],
  ['K', 'Previous lead of the list'],
  ['M', 'Write a note'],
  ['C', 'Let an agent call'],
  ['Ctrl Enter', 'Save the note'],
  ['U', 'Back to the list'],
]

const candidates: Line[] = [
  ['N', 'Add candidates'],
  ['Space', 'Select the row'],
  ['Shift ↑ ↓', 'Select several rows'],
  ['Ctrl A', 'Select as many as can be'],
  ['U', 'Back to the candidates'],
]

const call: Line[] = [
  ['W', 'Whisper to the agent'],
  ['M', 'Write notes'],
  ['U', 'Back to the calls'],
]

const board: Line[] = [
  ['↑ ↓ ← →', 'Move from card to card'],
  ['Shift ← →', 'Move the card to the next column'],
  ['Shift ↑ ↓', 'Move the card within its column'],
  ['M', 'Choose where the card goes'],
  ['Enter', 'Open the card'],
]

const tasks: Line[] = [
  ['N', 'New task'],
  ['Space', 'Check off'],
]

const meetings: Line[] = [
  ['J', 'Next week, or day on a phone'],
  ['K', 'The one before'],
  ['T', 'Today'],
  ['N', 'New meeting'],
  ['↑ ↓ ← →', 'Move from time to time'],
  ['Enter', 'Meet at this time'],
]

const builder: Line[] = [
  ['↑ ↓', 'Move from field to field'],
  ['Alt ↑ ↓', 'Move the field'],
  ['Delete', 'Remove the field'],
  ['Ctrl Shift Z', 'Do again what was undone'],
]

const workflow: Line[] = [
  ['↑ ↓ ← →', 'Move from step to step'],
  ['Enter', 'Open the step'],
  ['A', 'Add a step after it'],
  ['Shift A', 'Add a step before it'],
  ['Alt ↑ ↓', 'Move the step'],
  ['Delete', 'Remove the step'],
  ['Ctrl C X V', 'Copy, cut, paste'],
  ['Ctrl D', 'Duplicate the step'],
  ['0', 'Show all of it'],
]

const invoice: Line[] = [
  ['Enter', 'Go on to the next line, or make it'],
  ['Ctrl Z', 'Undo the last edit'],
]

export function Shortcuts() {
  const go: Line[] = [
    ...usePlaces().map(({ keys, label }): Line => [keys.toUpperCase(), label]),
    ['G T', 'Trash'],
  ]
  return (
    <Modal
      opened={opened.use(now => now === 'shortcuts')}
      onClose={close}
      title="Keyboard shortcuts"
      size={720}
      yOffset="8vh"
    >
      <div className={classes.sheet}>
        <Lines title="Anywhere" lines={anywhere} />
        <Lines title="Go to" lines={go} />
        <Lines title="Leads table" lines={table} />
        <div>
          <Lines title="Head of the table" lines={header} />
          <Lines title="Lead page" lines={lead} />
          <Lines title="Candidates" lines={candidates} />
          <Lines title="Tasks" lines={tasks} />
          <Lines title="Call" lines={call} />
          <Lines title="Meetings" lines={meetings} />
          <Lines title="Boards" lines={board} />
          <Lines title="Draft of an invoice" lines={invoice} />
          <Lines title="Form builder" lines={builder} />
          <Lines title="Workflow builder" lines={workflow} />
        </div>
      </div>
    </Modal>
  )
}

function Lines({ title, lines }: { title: string; lines: Line[] }) {
  return (
    <section className={classes.lines}>
      <Title order={3}>{title}</Title>
      <dl>
        {lines.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <Kbd size="xs">{keys}</Kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
