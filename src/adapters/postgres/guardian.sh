# Waits on standard input for the one word that releases it. When the pipe breaks instead, the process that keeps the
# server was killed, and the server is stopped: cleanly, and where that hangs, at once.
lock=$1 server=$2
trap '' HUP INT TERM
read -r word && exit 0

# The first line of the lock file names the server for as long as it lives: nobody else is ever signalled.
serves() { { read -r pid <"$lock"; } 2>/dev/null && [ "$pid" = "$server" ]; }

# A server that was only just spawned has not written it yet.
tries=0
until serves || [ "$tries" -ge 20 ]; do sleep 0.1; tries=$((tries + 1)); done
serves && kill -INT "$server"

tries=0
while serves && [ "$tries" -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
serves && kill -QUIT "$server"
