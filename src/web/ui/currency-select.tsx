import { Select, type SelectProps } from '@mantine/core'
import { currencies } from './amount.ts'

type Props = Pick<SelectProps, 'description' | 'error' | 'readOnly' | 'disabled'> & {
  /** Empty: not known yet. */
  value: string
  set: (currency: string) => void
}

export function CurrencySelect({ value, set, ...rest }: Props) {
  return (
    <Select
      label="Currency"
      data={currencies(value)}
      value={value || null}
      searchable
      allowDeselect={false}
      onChange={next => next && next !== value && set(next)}
      {...rest}
    />
  )
}
