import { Button, Group, Modal, Stack } from '@mantine/core'
import IconFileTypeCsv from 'icon:file-type-csv'
import { useRef, useState, type DragEvent } from 'react'
import type { SuppressionImport } from '#domains/suppressions/contract.ts'
import { inWords } from '../../problem.ts'
import { FocusBack } from '../../ui/focus-back.ts'
import { count, plural } from '../../ui/words.ts'
import { faultOf } from '../../records/imports/upload.ts'
import { importSuppressions } from './suppressions-cache.ts'
import textClasses from '../../ui/text.module.css'
import dropClasses from '../../ui/drop.module.css'
import classes from './suppressions.module.css'

/** Imports a CSV file, chosen or dropped, and lists the rows with errors. */
export function ImportDialog({ close }: { close: () => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<string>()
  const [told, setTold] = useState<SuppressionImport>()
  const [fault, setFault] = useState<string>()
  const [isOver, setIsOver] = useState(false)

  async function take(chosen: File | undefined) {
    if (!chosen || file) return
    const wrong = faultOf(chosen)
    setFault(wrong)
    if (wrong) return
    setFile(chosen.name)
    try {
      setTold(await importSuppressions(chosen))
    } catch (error) {
      setFault(inWords(error))
    }
    setFile(undefined)
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    void take(event.dataTransfer.files[0])
  }

  return (
    <>
      <FocusBack />
      <Modal opened onClose={close} title="Import suppression list" size={520}>
        <Stack gap="md">
          {told ? (
            <Report told={told} />
          ) : (
            <div
              className={dropClasses.drop}
              data-over={isOver || undefined}
              onDragOver={event => {
                event.preventDefault()
                setIsOver(true)
              }}
              onDragLeave={() => setIsOver(false)}
              onDrop={drop}
            >
              <IconFileTypeCsv size={30} stroke={1.4} aria-hidden />
              <p>
                Drop a CSV file here, or choose one. The first row must name the columns: <code>email</code>{' '}
                or <code>phone</code>, and optionally <code>note</code>.
              </p>
              <input
                ref={input}
                type="file"
                accept=".csv,.tsv,.txt,text/csv"
                className={dropClasses.file}
                aria-label="CSV file"
                tabIndex={-1}
                onChange={event => {
                  void take(event.currentTarget.files?.[0])
                  // The same file may be chosen again after it was fixed.
                  event.currentTarget.value = ''
                }}
              />
              <Button loading={file !== undefined} data-autofocus onClick={() => input.current?.click()}>
                Choose a file
              </Button>
              {file && <span role="status">Importing {file} …</span>}
              {fault && (
                <p role="alert" className={textClasses.bad}>
                  {fault}
                </p>
              )}
            </div>
          )}
          <Group justify="flex-end" gap="sm">
            {told && (
              <Button variant="default" onClick={() => setTold(undefined)}>
                Import another
              </Button>
            )}
            <Button variant={told ? 'filled' : 'default'} onClick={close}>
              {told ? 'Done' : 'Cancel'}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}

function Report({ told: { added, known, faulty, faults } }: { told: SuppressionImport }) {
  return (
    <div role="status">
      <dl className={classes.counts}>
        <dt>{count(added)}</dt>
        <dd>added</dd>
        <dt>{count(known)}</dt>
        <dd>already on the list</dd>
        <dt>{count(faulty)}</dt>
        <dd>{faulty === 1 ? 'invalid row' : 'invalid rows'}</dd>
      </dl>
      {faults.length > 0 && (
        <>
          <p>Fix {plural(faulty, 'row')} and import the file again. Duplicates are skipped.</p>
          {/* A region that scrolls must be reachable by keyboard. */}
          <ul className={classes.faults} tabIndex={0} aria-label="Invalid rows">
            {faults.map(({ row, message }) => (
              <li key={row}>
                <span>Row {count(row)}</span>
                {message}
              </li>
            ))}
          </ul>
          {faulty > faults.length && <p>And {count(faulty - faults.length)} more.</p>}
        </>
      )}
    </div>
  )
}
