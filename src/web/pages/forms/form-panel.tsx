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

/** The texts around the fields. */
export function FormPanel({ content, problems, act }: Props) {
  const set = (change: Partial<DraftTexts>) => act({ kind: 'set', change })
  const fault = (name: string) => messageAt(problems, null, name)
  return (
    <Stack gap="md">
      <h2 className={classes.panelTitle}>Form details</h2>
      <TextInput
        label="Title"
        value={content.title}
        maxLength={TEXT_LENGTH_MAX}
        error={fault('title')}
        onChange={event => set({ title: event.currentTarget.value })}
      />
      <Textarea
        label="Description"
        description="Shown below the title"
        value={content.description}
        rows={3}
        maxLength={LONG_LENGTH_MAX}
        onChange={event => set({ description: event.currentTarget.value })}
      />
      <TextInput
        label="Button label"
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

/** A thank-you text, or a redirect. */
function Afterwards({ content, fault, set }: AfterwardsProps) {
  const [asks, setAsks] = useState(false)
  const goes = asks || content.redirect_url !== ''
  return (
    <>
      <div>
        <p className={classes.groupLabel} id="afterwards">
          After submission
        </p>
        <SegmentedControl
          size="xs"
          fullWidth
          aria-labelledby="afterwards"
          value={goes ? 'goes' : 'thanks'}
          data={[
            { value: 'thanks', label: 'Show text' },
            { value: 'goes', label: 'Redirect' },
          ]}
          onChange={value => {
            setAsks(value === 'goes')
            if (value === 'thanks') set({ redirect_url: '' })
          }}
        />
      </div>
      {goes ? (
        <TextInput
          label="Redirect URL"
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
