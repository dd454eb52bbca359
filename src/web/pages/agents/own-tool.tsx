import { ActionIcon, Button, Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import IconPlus from 'icon:plus'
import IconX from 'icon:x'
import type { CustomTool } from '#domains/agents/contract.ts'
import {
  TOOL_DESCRIPTION_LENGTH_MAX,
  TOOL_PARAMETERS_MAX,
  TOOL_URL_LENGTH_MAX,
} from '#domains/agents/values.ts'
import { SecretField } from '../../ui/secret-field.tsx'
import { asToolName, newParameter, type OwnParameter, type OwnTool } from './agent-fields.ts'
import textClasses from '../../ui/text.module.css'
import fieldsClasses from '../../ui/fields.module.css'
import cardClasses from '../../ui/card.module.css'
import classes from './agent-page.module.css'

const TEXT_LENGTH_MAX = 500
/** A stable function, so that a field takes the focus when it appears, not at every keystroke. */
const focusOnce = (input: HTMLInputElement | null) => input?.focus()

type Props = {
  tool: OwnTool
  canWrite: boolean
  /** The endpoint with its secret, once it is saved. */
  endpointId: string | undefined
  fault: (path: string) => string | undefined
  set: (change: Partial<OwnTool>) => void
  remove: () => void
}

/** A custom tool: its name, URL, description and parameters. */
export function OwnToolCard({ tool, canWrite, endpointId, fault, set, remove }: Props) {
  const { name, description, url, parameters } = tool
  const called = name || 'the new tool'
  return (
    <fieldset className={`${cardClasses.card} ${classes.card}`}>
      <legend className={classes.legend}>{name || 'New tool'}</legend>
      {canWrite && (
        <ActionIcon
          className={classes.remove}
          variant="subtle"
          color="gray"
          aria-label={`Remove ${called}`}
          onClick={remove}
        >
          <IconX size={16} />
        </ActionIcon>
      )}
      <div className={fieldsClasses.pair}>
        <TextInput
          label="Tool name"
          placeholder="look_up_order"
          value={name}
          error={fault('name')}
          autoComplete="off"
          spellCheck={false}
          // A new tool is named first.
          ref={name ? undefined : focusOnce}
          onChange={event => set({ name: asToolName(event.currentTarget.value) })}
        />
        <TextInput
          label="URL"
          placeholder="https://www.example.com/tools/orders"
          inputMode="url"
          value={url}
          maxLength={TOOL_URL_LENGTH_MAX}
          error={fault('url')}
          autoComplete="off"
          spellCheck={false}
          onChange={event => set({ url: event.currentTarget.value })}
        />
        <Textarea
          className={fieldsClasses.wide}
          label="Description"
          description="Tells the agent when to use it and what it returns."
          autosize
          minRows={2}
          maxRows={6}
          value={description}
          maxLength={TOOL_DESCRIPTION_LENGTH_MAX}
          error={fault('description')}
          onChange={event => set({ description: event.currentTarget.value })}
        />
      </div>
      <Parameters
        called={called}
        parameters={parameters}
        canWrite={canWrite}
        fault={fault}
        set={parameters => set({ parameters })}
      />
      {endpointId && (
        <div>
          <h3 className={classes.heading}>Signing secret</h3>
          <SecretField key={endpointId} endpointId={endpointId} name={called} />
        </div>
      )}
    </fieldset>
  )
}

type ParametersProps = Pick<Props, 'canWrite' | 'fault'> & {
  called: string
  parameters: OwnParameter[]
  set: (parameters: OwnParameter[]) => void
}

function Parameters({ called, parameters, canWrite, fault, set }: ParametersProps) {
  return (
    <div>
      <h3 className={classes.heading}>Parameters</h3>
      {parameters.length > 0 && (
        <ul className={classes.parameters} aria-label={`Parameters of ${called}`}>
          {parameters.map((parameter, at) => (
            <Parameter
              key={parameter.key}
              parameter={parameter}
              canWrite={canWrite}
              fault={fault(`parameters[${at}].name`)}
              set={change =>
                set(parameters.map(each => (each === parameter ? { ...each, ...change } : each)))
              }
              remove={() => set(parameters.filter(each => each !== parameter))}
            />
          ))}
        </ul>
      )}
      {canWrite && parameters.length < TOOL_PARAMETERS_MAX && (
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          aria-label={`Add parameter to ${called}`}
          onClick={() => set([...parameters, newParameter()])}
        >
          Add parameter
        </Button>
      )}
      {!canWrite && parameters.length === 0 && <p className={textClasses.dim}>None.</p>}
    </div>
  )
}

const types: { value: CustomTool['parameters'][number]['type']; label: string }[] = [
  { value: 'string', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'Yes or no' },
]

type ParameterProps = {
  parameter: OwnParameter
  canWrite: boolean
  fault: string | undefined
  set: (change: Partial<OwnParameter>) => void
  remove: () => void
}

function Parameter({ parameter, canWrite, fault, set, remove }: ParameterProps) {
  const { name, type, description, required } = parameter
  return (
    <li className={classes.parameter}>
      <TextInput
        aria-label="Parameter name"
        placeholder="order_number"
        value={name}
        error={fault}
        autoComplete="off"
        spellCheck={false}
        onChange={event => set({ name: asToolName(event.currentTarget.value) })}
      />
      <Select
        aria-label={`Type of ${name || 'the parameter'}`}
        data={types}
        value={type}
        allowDeselect={false}
        onChange={value => value && set({ type: value as OwnParameter['type'] })}
      />
      <TextInput
        className={classes.what}
        aria-label={`Description of ${name || 'the parameter'}`}
        placeholder="Description for the agent"
        value={description}
        maxLength={TEXT_LENGTH_MAX}
        autoComplete="off"
        onChange={event => set({ description: event.currentTarget.value })}
      />
      <Checkbox
        label="Required"
        aria-label={`${name || 'The parameter'} is required`}
        checked={required}
        onChange={event => set({ required: event.currentTarget.checked })}
      />
      {canWrite && (
        <ActionIcon
          className={classes.drop}
          variant="subtle"
          color="gray"
          aria-label={`Remove ${name || 'the parameter'}`}
          onClick={remove}
        >
          <IconX size={16} />
        </ActionIcon>
      )}
    </li>
  )
}
