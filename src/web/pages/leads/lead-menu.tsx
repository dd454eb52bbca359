import { ActionIcon } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import IconDots from 'icon:dots'
import IconDownload from 'icon:download'
import IconFileImport from 'icon:file-import'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { useCommands } from '../../shell/commands.ts'
import { stringifySearch } from '../../search-text.ts'
import { ButtonMenu } from '../../ui/menu.tsx'
import type { ShownColumn } from './columns.ts'
import { toQuery, type LeadsSearch } from '../../records/leads/search.ts'

const EXPORT_PATH = '/api/crm/leads/export'

type Props = { search: LeadsSearch; columns: ShownColumn[] }

/** Import and export. */
export function LeadMenu({ search, columns }: Props) {
  const navigate = useNavigate()
  const canWrite = useCan('leads:write')
  const address = exportAddress(search, columns)
  useCommands([
    {
      id: 'export-leads',
      group: 'This page',
      label: 'Export these leads',
      words: 'csv download file',
      run: () => location.assign(address),
    },
  ])
  return (
    <ButtonMenu
      button={
        <ActionIcon aria-label="Import and export">
          <IconDots size={16} />
        </ActionIcon>
      }
      items={[
        { label: 'Export as CSV', icon: <IconDownload size={16} />, file: address },
        ...(canWrite
          ? [
              {
                label: 'Import leads',
                icon: <IconFileImport size={16} />,
                run: () => void navigate({ to: paths.imports }),
              },
            ]
          : []),
      ]}
    />
  )
}

/** With the filters, sorting and columns of the view. The name becomes two columns in the file. */
function exportAddress(search: LeadsSearch, columns: ShownColumn[]): string {
  const fields = columns.flatMap(({ key }) => (key === 'name' ? ['first_name', 'last_name'] : [key]))
  return EXPORT_PATH + stringifySearch({ ...toQuery(search), columns: [...new Set(fields)] })
}
