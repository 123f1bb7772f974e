/* raw-inotify FOLDER : like follow.mjs, with inotify and read alone. Files of one folder are named by their number. */
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MOST 4096
static char folders[MOST][512];
static off_t offsets[MOST];
static struct { int phase, file, number; double microseconds; } seen[65536];
static int count, done;

static void stop(int signal) { (void)signal; done = 1; }

static void look(const char *folder, const char *name) {
  char path[1024], text[65536];
  struct timespec now;
  int file = atoi(name), descriptor, at = 0;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (file < 0 || file >= MOST || (descriptor = open(path, O_RDONLY)) < 0) return;
  int length = pread(descriptor, text, sizeof text - 1, offsets[file]);
  close(descriptor);
  if (length <= 0) return;
  offsets[file] += length;
  text[length] = 0;
  clock_gettime(CLOCK_MONOTONIC, &now);
  for (char *line = text; *line && count < 65536; line += at + 1) {
    long long then;
    int phase, of, number;
    at = strcspn(line, "\n");
    if (sscanf(line, "{\"t\":\"%lld\",\"p\":%d,\"f\":%d,\"n\":%d", &then, &phase, &of, &number) == 4) {
      seen[count].phase = phase;
      seen[count].file = of;
      seen[count].number = number;
      seen[count++].microseconds = (now.tv_sec * 1e9 + now.tv_nsec - then) / 1000;
    }
    if (!line[at]) break;
  }
}

int main(int argc, char **argv) {
  char events[65536] __attribute__((aligned(8)));
  int watcher = inotify_init1(IN_NONBLOCK);
  struct dirent *entry, *inner;
  DIR *top = argc > 1 ? opendir(argv[1]) : 0;
  if (!top) return 2;
  while ((entry = readdir(top))) {
    char path[512];
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
    int watch = inotify_add_watch(watcher, path, IN_MODIFY);
    if (watch < 0 || watch >= MOST) return 2;
    strcpy(folders[watch], path);
    DIR *folder = opendir(path);
    while ((inner = readdir(folder))) {
      char file[1024];
      struct stat status;
      if (inner->d_name[0] == '.') continue;
      snprintf(file, sizeof file, "%s/%s", path, inner->d_name);
      if (!stat(file, &status)) offsets[atoi(inner->d_name)] = status.st_size;
    }
    closedir(folder);
  }
  signal(SIGTERM, stop);
  puts("ready");
  fflush(stdout);
  while (!done) {
    struct pollfd waiting = { watcher, POLLIN, 0 };
    if (poll(&waiting, 1, 100) <= 0) continue;
    ssize_t length = read(watcher, events, sizeof events);
    for (char *at = events; at < events + length;) {
      struct inotify_event *event = (struct inotify_event *)at;
      if (event->len) look(folders[event->wd], event->name);
      at += sizeof *event + event->len;
    }
  }
  putchar('[');
  for (int at = 0; at < count; at++)
    printf("%s[%d,%.1f,%d,%d]", at ? "," : "", seen[at].phase, seen[at].microseconds, seen[at].file, seen[at].number);
  puts("]");
  return 0;
}
