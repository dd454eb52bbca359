import { lazy, Suspense, type ReactElement, type ReactNode } from 'react'
import { Picker } from '../picker.tsx'
import { Chip } from './chip.tsx'
import { chosenOf, filterInWords, isSet, removed, spanOf, withValues, type Filter } from './filters.ts'
import { valuesOf, type ListSearch } from './search.ts'

const SpanFilter = lazy(() => import('./span-filter.tsx').then(({ SpanFilter }) => ({ default: SpanFilter })))
const WordsFilter = lazy(() =>
  import('./words-filter.tsx').then(({ WordsFilter }) => ({ default: WordsFilter })),
)

type Props = {
  filter: Filter
  search: ListSearch
  set: (next: ListSearch) => void
  startsOpen: boolean
  closed: () => void
}

export function FilterChip({ filter, search, set, startsOpen, closed }: Props) {
  return (
    <Chip
      label={filter.label}
      words={filterInWords(search, filter)}
      remove={isSet(search, filter) ? () => set(removed(search, filter)) : undefined}
      startsOpen={startsOpen}
      closed={closed}
      editor={isEditable(filter) ? editor : undefined}
    />
  )

  function editor(chip: ReactElement, close: () => void): ReactNode {
    return (
      <Editor filter={filter} search={search} set={set} close={close}>
        {chip}
      </Editor>
    )
  }
}

type EditorProps = {
  filter: Filter
  search: ListSearch
  set: (next: ListSearch) => void
  close: () => void
  children: ReactElement
}

function Editor({ filter, search, set, close, children }: EditorProps) {
  if (filter.kind === 'span') {
    return (
      <Suspense fallback={children}>
        <SpanFilter
          spans={filter.spans}
          now={spanOf(search, filter.after, filter.before)}
          put={({ after, before }) =>
            set({
              ...removed(search, filter),
              ...(after && { [filter.after]: after }),
              ...(before && { [filter.before]: before }),
            })
          }
          close={close}
        >
          {children}
        </SpanFilter>
      </Suspense>
    )
  }
  const values = valuesOf(search, filter.name)
  const put = (next: string[]) => set(withValues(search, filter.name, next))
  function putOne(value: string | undefined) {
    put(value ? [value] : [])
    close()
  }
  if (filter.kind === 'words') {
    const { label, single = false } = filter
    return (
      <Suspense fallback={children}>
        <WordsFilter
          label={label}
          values={values}
          single={single}
          set={next => (single ? putOne(next[0]) : put(next))}
          close={close}
        >
          {children}
        </WordsFilter>
      </Suspense>
    )
  }
  if (filter.kind === 'record' && filter.picker) {
    return (
      <filter.picker label={filter.label} pick={({ id }) => putOne(id)} close={close}>
        {children}
      </filter.picker>
    )
  }
  if (filter.kind !== 'choice') return children
  const { label, options, single, usual } = filter
  function pick(value: string) {
    const rest = values.filter(each => each !== value)
    const isAdded = rest.length === values.length
    if (!single) return put(isAdded ? [...rest, value] : rest)
    putOne(isAdded && value !== usual ? value : undefined)
  }
  return (
    <Picker
      label={single ? label : `${label} is any of`}
      options={options}
      chosen={chosenOf(search, filter)}
      pick={pick}
      close={close}
    >
      {children}
    </Picker>
  )
}

function isEditable(filter: Filter): boolean {
  return filter.kind === 'record' ? filter.picker !== undefined : filter.kind !== 'flag'
}
