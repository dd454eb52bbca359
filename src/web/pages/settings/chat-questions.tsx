import { ActionIcon, Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconPlus from 'icon:plus'
import IconX from 'icon:x'
import { useRef } from 'react'
import { QUESTIONS_MAX, questionTypes, type QuestionType } from '#domains/chat/values.ts'
import { leadTargets } from '#domains/forms/values.ts'
import { leadSettingsQuery } from '../../queries.ts'
import { leadFields } from '../../records/leads/fields.ts'
import { ButtonMenu } from '../../ui/menu.tsx'
import { Sortable } from '../../ui/sortable.tsx'
import type { PartProps, QuestionFields } from './chat-widget-fields.ts'
import textClasses from '../../ui/text.module.css'
import classes from './chat-widget.module.css'

const LABEL_LENGTH_MAX = 200
const typeWords: Record<QuestionType, string> = { text: 'Text', email: 'Email', phone: 'Phone' }

const starters: Pick<QuestionFields, 'type' | 'label' | 'target'>[] = [
  { type: 'text', label: 'Name', target: 'first_name' },
  { type: 'email', label: 'Email', target: 'email' },
  { type: 'phone', label: 'Phone', target: 'phone' },
  { type: 'text', label: 'Company', target: 'company' },
]

/** What visitors are asked first, and which lead field each answer fills. */
export function ChatQuestions({ fields, set, faultOf, editable }: PartProps) {
  const { questions } = fields
  const count = useRef(0)
  const box = useRef<HTMLDivElement>(null)
  const put = (next: QuestionFields[]) => set({ questions: next })
  const isTaken = (target: string) => questions.some(each => each.target === target)

  function add({ type, label, target }: (typeof starters)[number]) {
    const id = `new-${++count.current}`
    put([...questions, { id, key: '', type, label, required: false, target: isTaken(target) ? '' : target }])
    // The menu returns the focus when it closes; the new question takes it after that.
    setTimeout(() => box.current?.querySelector<HTMLElement>(`[data-question="${id}"] input`)?.focus(), 120)
  }
  function move(from: number, to: number) {
    put(questions.toSpliced(from, 1).toSpliced(to, 0, questions[from]!))
  }

  return (
    <div ref={box} className={classes.questions}>
      {questions.length > 0 && (
        <Sortable
          label="Questions"
          items={questions}
          nameOf={({ label }) => label || 'the question'}
          keyOf={({ id }) => id}
          move={move}
          disabled={!editable}
        >
          {(question, index) => (
            <Question
              question={question}
              isTaken={isTaken}
              set={change => put(questions.with(index, { ...question, ...change }))}
              remove={() => put(questions.toSpliced(index, 1))}
              fault={faultOf(`questions.${index}`, true)}
              targetFault={faultOf(`questions.${index}.target`)}
              editable={editable}
            />
          )}
        </Sortable>
      )}
      {faultOf('questions', true) && (
        <p className={textClasses.bad} role="alert">
          {faultOf('questions', true)}
        </p>
      )}
      {editable && questions.length < QUESTIONS_MAX && (
        <ButtonMenu
          position="bottom-start"
          button={
            <Button className={classes.add} size="xs" variant="default" leftSection={<IconPlus size={14} />}>
              Add question
            </Button>
          }
          items={[
            ...starters.map(starter => ({ label: starter.label, run: () => add(starter) })),
            'divider',
            { label: 'Other question', run: () => add({ type: 'text', label: '', target: '' }) },
          ]}
        />
      )}
      {questions.length > 0 && (
        <p className={textClasses.meta}>
          {questions.some(({ target }) => target)
            ? 'Visitors who answer become leads, or are recognized as one.'
            : 'No answer fills a lead field: visitors do not become leads automatically.'}
        </p>
      )}
    </div>
  )
}

type QuestionProps = {
  question: QuestionFields
  isTaken: (target: string) => boolean
  set: (change: Partial<QuestionFields>) => void
  remove: () => void
  fault: string | undefined
  targetFault: string | undefined
  editable: boolean
}

function Question({ question, isTaken, set, remove, fault, targetFault, editable }: QuestionProps) {
  const { id, type, label, required, target } = question
  const targets = useTargets(target)
  const name = label || 'this question'
  return (
    <div className={classes.question} data-question={id}>
      <TextInput
        label="Question"
        value={label}
        error={fault}
        maxLength={LABEL_LENGTH_MAX}
        autoComplete="off"
        onChange={({ currentTarget }) => set({ label: currentTarget.value })}
      />
      <NativeSelect
        label="Answer"
        aria-label={`Kind of answer to ${name}`}
        data={questionTypes.map(value => ({ value, label: typeWords[value] }))}
        value={type}
        onChange={({ currentTarget }) => set({ type: currentTarget.value as QuestionType })}
      />
      <NativeSelect
        label="Lead field"
        aria-label={`Lead field for ${name}`}
        data={[
          { value: '', label: 'None' },
          ...targets.map(each => ({ ...each, disabled: each.value !== target && isTaken(each.value) })),
        ]}
        value={target}
        error={targetFault}
        onChange={({ currentTarget }) => set({ target: currentTarget.value })}
      />
      <div className={classes.questionEnd}>
        <Checkbox
          label="Required"
          aria-label={`Required: ${name}`}
          checked={required}
          onChange={({ currentTarget }) => set({ required: currentTarget.checked })}
        />
        {editable && (
          <ActionIcon aria-label={`Remove ${name}`} title="Remove" onClick={remove}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        )}
      </div>
    </div>
  )
}

/** The lead fields that answers can fill; also a deleted one, if the answer still fills it. */
function useTargets(chosen: string): { value: string; label: string }[] {
  const fields = leadFields(useQuery(leadSettingsQuery).data)
  const standard: readonly string[] = leadTargets
  const known = fields
    .filter(({ key }) => standard.includes(key) || key.startsWith('custom.'))
    .map(({ key, label }) => ({ value: key, label }))
  const isGone = chosen !== '' && !known.some(({ value }) => value === chosen)
  return isGone ? [...known, { value: chosen, label: `${chosen.replace('custom.', '')} (deleted)` }] : known
}
