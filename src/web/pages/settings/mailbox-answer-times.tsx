import { Checkbox, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { conversationSettingsQuery } from '../../records/conversations/settings-cache.ts'
import { ownZone } from '../../ui/zones.ts'
import { weekOf } from './answer-fields.ts'
import { WeekEditor } from './hours-editor.tsx'
import type { Faults, OwnAnswerFields } from './mailbox-fields.ts'
import fieldsClasses from '../../ui/fields.module.css'
import classes from './mailbox-settings.module.css'

const choices = [
  { value: 'team', label: 'As the team' },
  { value: 'own', label: 'Own answer times' },
]

type Props = {
  answer: OwnAnswerFields
  set: (answer: OwnAnswerFields) => void
  faults: Faults
}

/** How soon emails to this mailbox are answered: as the team, or with targets and hours of its own. */
export function MailboxAnswerTimes({ answer, set, faults }: Props) {
  const team = useQuery(conversationSettingsQuery).data
  const change = (fields: Partial<OwnAnswerFields>) => set({ ...answer, ...fields })
  const minutes = (name: 'first_answer_min' | 'next_answer_min') => ({
    value: answer[name],
    error: faults[name],
    placeholder: 'As the team',
    inputMode: 'numeric' as const,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  })
  return (
    <fieldset className={classes.answer}>
      <Select
        label="Answer times"
        description="Messages that already wait keep their time."
        data={choices}
        value={answer.isOwn ? 'own' : 'team'}
        allowDeselect={false}
        onChange={value => change({ isOwn: value === 'own' })}
      />
      {answer.isOwn && (
        <>
          <div className={fieldsClasses.pair}>
            <TextInput label="First answer within (minutes)" {...minutes('first_answer_min')} />
            <TextInput label="Next answers within (minutes)" {...minutes('next_answer_min')} />
          </div>
          <Select
            label="Time zone"
            placeholder="As the team"
            data={[
              ...new Set([answer.timezone, ownZone, 'UTC', ...Intl.supportedValuesOf('timeZone')]),
            ].filter(Boolean)}
            value={answer.timezone || null}
            error={faults.timezone}
            searchable
            clearable
            onChange={timezone => change({ timezone: timezone ?? '' })}
          />
          <Checkbox
            label="Own open hours"
            description="Otherwise the hours of the team count."
            checked={answer.week !== null}
            error={faults.hours}
            onChange={({ currentTarget }) =>
              change({ week: currentTarget.checked ? weekOf(team?.hours ?? []) : null })
            }
          />
          {answer.week && (
            <WeekEditor
              week={answer.week}
              set={week => change({ week })}
              faultOf={path => faults[path]}
              editable
            />
          )}
        </>
      )}
    </fieldset>
  )
}
