import { lazy, Suspense, type ReactElement, type ReactNode } from 'react'
import { Picker } from '../picker.tsx'
import { Chip } from './chip.tsx'
import { filterInWords, isSet, removed, spanOf, valuesOf, withValues, type Filter } from './filters.ts'
import type { ListSearch } from './search.ts'

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
      editor={filter.kind === 'record' || filter.kind === 'flag' ? undefined : editor}
    />
  )

  function editor(chip: ReactElement, close: () => void): ReactNode {
    if (filter.kind === 'record' || filter.kind === 'flag') return chip
    return (
      <Editor filter={filter} search={search} set={set} close={close}>
        {chip}
      </Editor>
    )
  }
}

type EditorProps = {
  filter: Exclude<Filter, { kind: 'record' | 'flag' }>
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
  if (filter.kind === 'words') {
    return (
      <Suspense fallback={children}>
        <WordsFilter label={filter.label} values={values} set={put} close={close}>
          {children}
        </WordsFilter>
      </Suspense>
    )
  }
  function pick(value: string) {
    const rest = values.filter(each => each !== value)
    const isAdded = rest.length === values.length
    if (filter.kind !== 'choice' || !filter.single) return put(isAdded ? [...rest, value] : rest)
    put(isAdded ? [value] : [])
    close()
  }
  return (
    <Picker
      label={filter.single ? filter.label : `${filter.label} is any of`}
      options={filter.options}
      chosen={values}
      pick={pick}
      close={close}
    >
      {children}
    </Picker>
  )
}
