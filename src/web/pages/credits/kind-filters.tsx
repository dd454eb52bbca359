import { Button } from '@mantine/core'
import { entryKinds } from '#domains/credits/values.ts'
import { toggled, type CreditsSearch } from './search.ts'
import { kindWords } from './words.ts'
import classes from './credits.module.css'

type Props = { search: CreditsSearch; set: (search: CreditsSearch) => void }

/** Which kinds of entries are shown: those that are pressed, or all. */
export function KindFilters({ search, set }: Props) {
  const press = (pressed: boolean) => ({
    size: 'xs',
    variant: 'default',
    'aria-pressed': pressed,
  })
  return (
    <search className={classes.kinds} aria-label="Ledger filters">
      <Button {...press(!search.kind)} onClick={() => set({})}>
        All
      </Button>
      {entryKinds.map(kind => (
        <Button
          key={kind}
          {...press(search.kind?.includes(kind) ?? false)}
          onClick={() => set(toggled(search, kind))}
        >
          {kindWords[kind]}
        </Button>
      ))}
    </search>
  )
}
