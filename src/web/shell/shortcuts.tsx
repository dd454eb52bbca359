import { Kbd, Modal, Title } from '@mantine/core'
import { close, opened } from '../ui/opened.ts'
import { usePlaces } from './go.ts'
import classes from './shortcuts.module.css'

type Line = [keys: string, what: string]

const anywhere: Line[] = [
  ['Ctrl K', 'Search and commands'],
  ['/', 'Search this page'],
  ['N', 'New lead'],
  ['Ctrl Z', 'Undo last change'],
  ['?', 'Show this list'],
]

const table: Line[] = [
  ['↑ ↓ ← →', 'Move between cells'],
  ['Enter', 'Edit cell, or open lead from its name'],
  ['F2', 'Edit cell, including names'],
  ['Esc', 'Discard edit; clear selection'],
  ['Tab', 'Save and go to next cell'],
  ['Delete', 'Clear cell'],
  ['O', 'Open lead'],
  ['Space', 'Select row'],
  ['Shift ↑ ↓', 'Select multiple rows'],
  ['Ctrl A', 'Select all matches'],
  ['Ctrl Home', 'First row'],
  ['Ctrl End', 'Last row'],
  ['Ctrl C', 'Copy cell'],
]

const header: Line[] = [
  ['Enter', 'Sort by column'],
  ['Shift ← →', 'Resize column'],
  ['Alt ← →', 'Move column'],
]

const lead: Line[] = [
  ['J', 'Next lead in list'],
  ['K', 'Previous lead in list'],
  ['R', 'Reply'],
  ['Shift R', 'Reply all'],
  ['I', 'Open in Inbox'],
  ['M', 'Add note'],
  ['C', 'Have an agent call'],
  ['Ctrl Enter', 'Save note'],
  ['U', 'Back to list'],
]

const inbox: Line[] = [
  ['J', 'Next conversation'],
  ['K', 'Previous conversation'],
  ['R', 'Reply'],
  ['Shift R', 'Reply all'],
  ['N', 'Add note'],
  ['Ctrl Enter', 'Send'],
  ['E', 'Close or reopen'],
  ['S', 'Snooze'],
  ['A', 'Assign'],
  ['L', 'Labels'],
  ['X', 'Select conversation'],
  ['Shift J K', 'Select more'],
  ['Ctrl A', 'Select all loaded'],
  ['Esc', 'Clear selection'],
  ['C', 'New message'],
  ['U', 'Back to list'],
]

const candidates: Line[] = [
  ['N', 'Add candidates'],
  ['Space', 'Select row'],
  ['Shift ↑ ↓', 'Select multiple rows'],
  ['Ctrl A', 'Select all, up to the limit'],
  ['U', 'Back to candidates'],
]

const call: Line[] = [
  ['W', 'Whisper to the agent'],
  ['M', 'Edit notes'],
  ['U', 'Back to calls'],
]

const board: Line[] = [
  ['↑ ↓ ← →', 'Move between cards'],
  ['Shift ← →', 'Move card to next column'],
  ['Shift ↑ ↓', 'Move card within column'],
  ['M', 'Choose where to move card'],
  ['Enter', 'Open card'],
]

const tasks: Line[] = [
  ['N', 'New task'],
  ['Space', 'Check off'],
]

const meetings: Line[] = [
  ['J', 'Next week (day on phones)'],
  ['K', 'Previous week (day on phones)'],
  ['T', 'Today'],
  ['N', 'New meeting'],
  ['↑ ↓ ← →', 'Move between times'],
  ['Enter', 'Book this time'],
]

const builder: Line[] = [
  ['↑ ↓', 'Move between fields'],
  ['Alt ↑ ↓', 'Move field'],
  ['Delete', 'Remove field'],
  ['Ctrl Shift Z', 'Redo'],
]

const workflow: Line[] = [
  ['↑ ↓ ← →', 'Move between steps'],
  ['Enter', 'Open step'],
  ['A', 'Add step after'],
  ['Shift A', 'Add step before'],
  ['Alt ↑ ↓', 'Move step'],
  ['Delete', 'Remove step'],
  ['Ctrl C X V', 'Copy, cut, paste'],
  ['Ctrl D', 'Duplicate step'],
  ['0', 'Fit to view'],
]

const invoice: Line[] = [
  ['Enter', 'Next line item, or add one'],
  ['Ctrl Z', 'Undo last edit'],
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
          <Lines title="Inbox" lines={inbox} />
          <Lines title="Table header" lines={header} />
          <Lines title="Lead page" lines={lead} />
          <Lines title="Candidates" lines={candidates} />
          <Lines title="Tasks" lines={tasks} />
          <Lines title="Call" lines={call} />
          <Lines title="Meetings" lines={meetings} />
          <Lines title="Boards" lines={board} />
          <Lines title="Invoice draft" lines={invoice} />
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
