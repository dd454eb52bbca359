import { ActionIcon, Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconPlus from 'icon:plus'
import IconX from 'icon:x'
import { useRef, type KeyboardEvent } from 'react'
import { LINES_MAX } from '#domains/invoices/values.ts'
import { exactMoney } from '../../ui/money.ts'
import type { InvoiceDraft } from './draft.ts'
import { lineAmount, newLine, type DraftContent, type DraftLine } from './draft-content.ts'
import { billingSettingsQuery } from '../../records/invoices/invoices-cache.ts'
import classes from './paper.module.css'

const TEXT_LENGTH_MAX = 500

type Props = { draft: InvoiceDraft; now: DraftContent; fault: (place: string) => string | undefined }

/** The line items. Enter moves to the next line, and adds one at the end. */
export function DraftLines({ draft, now, fault }: Props) {
  const { lines, currency } = now
  const usualTax = useQuery(billingSettingsQuery).data?.tax_percent
  const body = useRef<HTMLDivElement>(null)

  function focusOn(at: number) {
    // The line exists after the next paint.
    requestAnimationFrame(() =>
      body.current?.querySelectorAll<HTMLInputElement>('input[data-first]')[at]?.focus(),
    )
  }

  function add() {
    draft.edit(now => ({
      ...now,
      lines: [...now.lines, newLine(now.lines.at(-1)?.tax_percent ?? usualTax)],
    }))
    focusOn(lines.length)
  }

  function onKeyDown(event: KeyboardEvent, at: number) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (at < lines.length - 1) focusOn(at + 1)
    else if (lines.length < LINES_MAX) add()
  }

  function change(key: string, name: keyof DraftLine, value: string) {
    const change = (line: DraftLine) => (line.key === key ? { ...line, [name]: value } : line)
    draft.edit(now => ({ ...now, lines: now.lines.map(change) }), `${key} ${name}`)
  }

  function remove(at: number) {
    draft.edit(now => ({ ...now, lines: now.lines.toSpliced(at, 1) }))
    focusOn(Math.max(0, at - 1))
  }

  return (
    <section aria-label="Line items" className={classes.lines}>
      <div className={classes.lineHead} aria-hidden>
        <span>Description</span>
        <span>Quantity</span>
        <span>Unit price</span>
        <span>Tax %</span>
        <span>Amount</span>
        <span />
      </div>
      <div ref={body}>
        {lines.map((line, at) => {
          const amount = lineAmount(line, currency)
          const cell = (name: Exclude<keyof DraftLine, 'key'>, label: string) => ({
            label,
            classNames: { label: classes.cellLabel ?? '', root: classes.cell ?? '' },
            value: line[name],
            error: fault(`${line.key} ${name}`),
            autoComplete: 'off',
            onChange: (event: { currentTarget: { value: string } }) =>
              change(line.key, name, event.currentTarget.value),
            onKeyDown: (event: KeyboardEvent) => onKeyDown(event, at),
          })
          return (
            <div key={line.key} className={classes.line} role="group" aria-label={`Line ${at + 1}`}>
              <TextInput
                data-first
                maxLength={TEXT_LENGTH_MAX}
                placeholder="Product or service"
                {...cell('description', 'Description')}
                classNames={{ label: classes.cellLabel ?? '', root: classes.wide ?? '' }}
              />
              <TextInput inputMode="decimal" data-number {...cell('quantity', 'Quantity')} />
              <TextInput inputMode="decimal" data-number {...cell('unit_price', 'Unit price')} />
              <TextInput inputMode="decimal" data-number {...cell('tax_percent', 'Tax %')} />
              <output className={classes.amount} aria-label={`Amount of line ${at + 1}`}>
                {amount === undefined ? '–' : exactMoney(amount, currency)}
              </output>
              <ActionIcon
                aria-label={`Remove line ${at + 1}`}
                disabled={lines.length === 1}
                onClick={() => remove(at)}
              >
                <IconX size={16} />
              </ActionIcon>
            </div>
          )
        })}
      </div>
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        leftSection={<IconPlus size={14} />}
        disabled={lines.length >= LINES_MAX}
        onClick={add}
      >
        Add line item
      </Button>
      {fault('lines') && (
        <span className={classes.fault} role="alert">
          {fault('lines')}
        </span>
      )}
    </section>
  )
}
