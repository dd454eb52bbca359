import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import IconFileTypeCsv from 'icon:file-type-csv'
import { useEffect, useRef, useState, type DragEvent } from 'react'
import { IMPORT_BYTES_MAX, IMPORT_ROWS_MAX } from '#domains/imports/values.ts'
import { patterns } from '../../paths.ts'
import { inWords } from '../../problem.ts'
import { Progress } from '../../ui/progress.tsx'
import { count } from '../../ui/words.ts'
import { faultOf, upload, type Upload } from '../../records/imports/upload.ts'
import { sizeInWords } from '../../records/imports/words.ts'
import textClasses from '../../ui/text.module.css'
import dropClasses from '../../ui/drop.module.css'
import classes from './imports.module.css'
import { imports } from '../../records/imports/store.ts'

/** Takes a file by choosing or dropping it, checks it, and uploads it. */
export function DropZone() {
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const running = useRef<Upload | null>(null)
  const [file, setFile] = useState<File | null>(null)
  const [sent, setSent] = useState(0)
  const [fault, setFault] = useState<string>()
  const [isOver, setIsOver] = useState(false)

  // Leaving the page cancels the upload.
  useEffect(() => () => running.current?.abort(), [])

  async function take(chosen: File | undefined) {
    if (!chosen || running.current) return
    const wrong = faultOf(chosen)
    setFault(wrong)
    if (wrong) return
    setFile(chosen)
    setSent(0)
    running.current = upload(chosen, setSent)
    try {
      const run = await running.current.done
      imports.keep(run)
      void imports.refresh()
      running.current = null
      void navigate({ to: patterns.import, params: { id: run.id }, search: { step: 'map' } })
    } catch (error) {
      // A cancelled upload is already cleared.
      if (running.current) setFault(inWords(error))
      running.current = null
      setFile(null)
    }
  }

  function cancel() {
    const stopped = running.current
    running.current = null
    stopped?.abort()
    setFile(null)
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    void take(event.dataTransfer.files[0])
  }

  if (file) {
    const isSent = sent >= file.size
    return (
      <div className={`${dropClasses.drop} ${classes.drop}`}>
        <span role="status">
          {isSent
            ? `Reading ${file.name}…`
            : `Uploading ${file.name}: ${sizeInWords(sent)} of ${sizeInWords(file.size)}`}
        </span>
        <Progress label={`Upload of ${file.name}`} done={sent} of={file.size} />
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
      </div>
    )
  }
  return (
    <div
      className={`${dropClasses.drop} ${classes.drop}`}
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
        Drop a CSV file here, or choose one. Up to {sizeInWords(IMPORT_BYTES_MAX)} and{' '}
        {count(IMPORT_ROWS_MAX)} rows. The first row must have the column names.
      </p>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        className={textClasses.hidden}
        aria-label="CSV file"
        tabIndex={-1}
        onChange={event => {
          void take(event.currentTarget.files?.[0])
          // So that the same file can be chosen again after fixing it.
          event.currentTarget.value = ''
        }}
      />
      <Button onClick={() => input.current?.click()}>Choose file</Button>
      {fault && (
        <p role="alert" className={textClasses.bad}>
          {fault}
        </p>
      )}
    </div>
  )
}
