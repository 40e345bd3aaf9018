@echo off
rem Starts rechunk with the Java in JAVA_HOME, or that on the PATH. Options of the JVM are in JAVA_OPTS.
setlocal
set "RECHUNK_JAVA=java.exe"
if defined JAVA_HOME set "RECHUNK_JAVA=%JAVA_HOME%\bin\java.exe"
"%RECHUNK_JAVA%" -version >nul 2>nul
if errorlevel 1 (
    echo rechunk: "%RECHUNK_JAVA%" does not run; install Java 17 or later, or set JAVA_HOME to its directory 1>&2
    exit /b 2
)
"%RECHUNK_JAVA%" -XX:+UseSerialGC -Xmn32m -XX:MaxDirectMemorySize=1024g %JAVA_OPTS% -jar "%~dp0..\lib\rechunk.jar" %*
exit /b %ERRORLEVEL%
