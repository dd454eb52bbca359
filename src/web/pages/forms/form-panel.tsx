import { SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { DraftContent, DraftTexts } from './draft-content.ts'
import { messageAt, type DraftProblem } from './draft-problems.ts'
import type { Operation } from './operations.ts'
import classes from './builder.module.css'

const TEXT_LENGTH_MAX = 500
const LONG_LENGTH_MAX = 2_000

type Props = {
  content: DraftContent
  problems: readonly DraftProblem[]
  act: (operation: Operation) => void
}

/** What the page says around its fields. */
export function FormPanel({ content, problems, act }: Props) {
  const set = (change: Partial<DraftTexts>) => act({ kind: 'set', change })
  const fault = (name: string) => messageAt(problems, null, name)
  return (
    <Stack gap="md">
      <h2 className={classes.panelTitle}>The form itself</h2>
      <TextInput
        label="Title"
        value={content.title}
        maxLength={TEXT_LENGTH_MAX}
        error={fault('title')}
        onChange={event => set({ title: event.currentTarget.value })}
      />
      <Textarea
        label="Description"
        description="Stands below the title"
        value={content.description}
        rows={3}
        maxLength={LONG_LENGTH_MAX}
        onChange={event => set({ description: event.currentTarget.value })}
      />
      <TextInput
        label="Text of the button"
        value={content.submit_label}
        maxLength={TEXT_LENGTH_MAX}
        error={fault('submit_label')}
        onChange={event => set({ submit_label: event.currentTarget.value })}
      />
      <Afterwards content={content} fault={fault} set={set} />
    </Stack>
  )
}

type AfterwardsProps = {
  content: DraftContent
  fault: (name: string) => string | undefined
  set: (change: Partial<DraftTexts>) => void
}

/** Words of thanks, or a page of one's own instead. */
function Afterwards({ content, fault, set }: AfterwardsProps) {
  const [asks, setAsks] = useState(false)
  const goes = asks || content.redirect_url !== ''
  return (
    <>
      <div>
        <p className={classes.groupLabel} id="afterwards">
          After it was sent
        </p>
        <SegmentedControl
          size="xs"
          fullWidth
          aria-labelledby="afterwards"
          value={goes ? 'goes' : 'thanks'}
          data={[
            { value: 'thanks', label: 'Say thank you' },
            { value: 'goes', label: 'Go to another page' },
          ]}
          onChange={value => {
            setAsks(value === 'goes')
            if (value === 'thanks') set({ redirect_url: '' })
          }}
        />
      </div>
      {goes ? (
        <TextInput
          label="Page to go to"
          placeholder="https://www.example.com/thanks"
          inputMode="url"
          value={content.redirect_url}
          maxLength={LONG_LENGTH_MAX}
          error={fault('redirect_url')}
          spellCheck={false}
          autoCapitalize="none"
          onChange={event => set({ redirect_url: event.currentTarget.value })}
        />
      ) : (
        <Textarea
          label="Thank-you text"
          value={content.thank_you}
          rows={3}
          maxLength={LONG_LENGTH_MAX}
          error={fault('thank_you')}
          onChange={event => set({ thank_you: event.currentTarget.value })}
        />
      )}
    </>
  )
}
