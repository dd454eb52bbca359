#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { loadEnvFile } from '#config'
import { runCommand } from './commands/run.ts'

// What a command loads is compiled once, not at each start. It lies beside the packages, where only who installed may write.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/rapport', import.meta.url)))
loadEnvFile()
process.exitCode = await runCommand(process.argv.slice(2))
